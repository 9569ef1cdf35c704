/**
 * The signals of EBU Tech 3341 (v4) table 1 and Tech 3342 (v4) table 1, at one rate, and what a meter must read.
 * Levels are in dBFS of a 1 kHz sine whose full scale has its peak at 0 dBFS.
 */
export interface EbuSignal {
  name: string;
  channels: Float32Array[];
  channelMask: number;
  expected: Expectation[];
}

export interface Expectation {
  field:
    'integrated_lufs' | 'loudness_range_lu' | 'max_momentary_lufs' | 'max_short_term_lufs' | 'true_peak_dbtp';
  value: number;
  /** How far below and above it may read. */
  below: number;
  above: number;
}

/** Level (−Infinity for silence) and length of a piece of a sine. */
type Piece = readonly [dbfs: number, lengthS: number];

const STEREO = 0x3;
const SURROUND_5_0 = 0x607; // L R C Ls Rs
const SURROUND_5_1 = 0x60f; // L R C LFE Ls Rs
const SILENCE = -Infinity;

const reads = (field: Expectation['field'], value: number, tolerance: number): Expectation => ({
  field,
  value,
  below: tolerance,
  above: tolerance,
});
const integrated = reads('integrated_lufs', -23, 0.1);

export function ebuSignals(sampleRateHz: number): EbuSignal[] {
  return [...levelSignals(sampleRateHz), ...surroundSignals(sampleRateHz), ...peakSignals(sampleRateHz)];
}

function levelSignals(rate: number): EbuSignal[] {
  const stereo = (name: string, pieces: readonly Piece[], ...expected: Expectation[]): EbuSignal => {
    const channel = sines(pieces, rate);
    return { name, channels: [channel, channel], channelMask: STEREO, expected };
  };
  const steady = (level: number): Expectation[] => [
    reads('integrated_lufs', level, 0.1),
    reads('max_momentary_lufs', level, 0.1),
    reads('max_short_term_lufs', level, 0.1),
  ];
  const range = (value: number): Expectation => reads('loudness_range_lu', value, 1);
  const repeat = (times: number, ...pieces: Piece[]): Piece[] =>
    Array.from({ length: times }, () => pieces).flat();
  const twenty = Array.from({ length: 20 }, (_, i) => i);
  return [
    stereo('3341-1', [[-23, 20]], ...steady(-23)),
    stereo('3341-2', [[-33, 20]], ...steady(-33)),
    stereo(
      '3341-3',
      [
        [-36, 10],
        [-23, 60],
        [-36, 10],
      ],
      integrated,
    ),
    stereo(
      '3341-4',
      [
        [-72, 10],
        [-36, 10],
        [-23, 60],
        [-36, 10],
        [-72, 10],
      ],
      integrated,
    ),
    stereo(
      '3341-5',
      [
        [-26, 20],
        [-20, 20.1],
        [-26, 20],
      ],
      integrated,
    ),
    stereo('3341-9', repeat(5, [-20, 1.34], [-30, 1.66]), reads('max_short_term_lufs', -23, 0.1)),
    ...twenty.map((i) =>
      stereo(
        `3341-10-${i + 1}`,
        [
          [SILENCE, 0.15 * i],
          [-23, 3],
          [SILENCE, 1],
        ],
        reads('max_short_term_lufs', -23, 0.1),
      ),
    ),
    stereo(
      '3341-11',
      twenty.flatMap((i): Piece[] => [
        [SILENCE, 0.15 * i],
        [i - 38, 3],
        [SILENCE, 1],
      ]),
      reads('max_short_term_lufs', -19, 0.1),
    ),
    stereo('3341-12', repeat(25, [-20, 0.18], [-30, 0.22]), reads('max_momentary_lufs', -23, 0.1)),
    ...twenty.map((i) =>
      stereo(
        `3341-13-${i + 1}`,
        [
          [SILENCE, 0.02 * i],
          [-23, 0.4],
          [SILENCE, 1],
        ],
        reads('max_momentary_lufs', -23, 0.1),
      ),
    ),
    stereo(
      '3341-14',
      twenty.flatMap((i): Piece[] => [
        [SILENCE, 0.02 * i],
        [i - 38, 0.4],
        [SILENCE, 1],
      ]),
      reads('max_momentary_lufs', -19, 0.1),
    ),
    stereo(
      '3342-1',
      [
        [-20, 20],
        [-30, 20],
      ],
      range(10),
    ),
    stereo(
      '3342-2',
      [
        [-20, 20],
        [-15, 20],
      ],
      range(5),
    ),
    stereo(
      '3342-3',
      [
        [-40, 20],
        [-20, 20],
      ],
      range(20),
    ),
    stereo(
      '3342-4',
      [
        [-50, 20],
        [-35, 20],
        [-20, 20],
        [-35, 20],
        [-50, 20],
      ],
      range(15),
    ),
  ];
}

function surroundSignals(rate: number): EbuSignal[] {
  const [front, centre, back] = [-28, -24, -30].map((level) => sines([[level, 20]], rate)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const lfe = sines([[-10, 20]], rate); // loud, so that counting it would show
  return [
    {
      name: '3341-6',
      channels: [front, front, centre, back, back],
      channelMask: SURROUND_5_0,
      expected: [integrated],
    },
    {
      name: '3341-6 with LFE',
      channels: [front, front, centre, lfe, back, back],
      channelMask: SURROUND_5_1,
      expected: [integrated],
    },
  ];
}

/** True peaks that fall between the samples: cases 15–19 steady, 20–23 a burst made at four times the rate. */
function peakSignals(rate: number): EbuSignal[] {
  const stereo = (name: string, channel: Float32Array, peak: number): EbuSignal => ({
    name,
    channels: [channel, channel],
    channelMask: STEREO,
    expected: [{ field: 'true_peak_dbtp', value: peak, below: 0.4, above: 0.2 }],
  });
  const steady = (divisor: number, degrees: number, amplitude: number): Float32Array =>
    faded(
      Float32Array.from(
        { length: rate },
        (_, n) => amplitude * Math.sin(2 * Math.PI * (n / divisor + degrees / 360)),
      ),
      rate,
    );
  return [
    stereo('3341-15', steady(4, 0, 0.5), -6),
    stereo('3341-16', steady(4, 45, 0.5), -6),
    stereo('3341-17', steady(6, 60, 0.5), -6),
    stereo('3341-18', steady(8, 67.5, 0.5), -6),
    stereo('3341-19', steady(4, 45, 1.41), 3),
    ...[0, 1, 2, 3].map((offset) => stereo(`3341-${20 + offset}`, burst(rate, offset), 0)),
  ];
}

function sines(pieces: readonly Piece[], rate: number): Float32Array {
  const lengths = pieces.map(([, lengthS]) => Math.round(lengthS * rate));
  const samples = new Float32Array(lengths.reduce((sum, length) => sum + length, 0));
  let start = 0;
  pieces.forEach(([dbfs], piece) => {
    const amplitude = 10 ** (dbfs / 20);
    const end = start + lengths[piece]!;
    for (let n = start; n < end; n++) samples[n] = amplitude * Math.sin((2 * Math.PI * 1000 * n) / rate);
    start = end;
  });
  return samples;
}

/** 10 ms of fade at both ends, so that switching a sine on adds no peak of its own. */
function faded(samples: Float32Array, rate: number): Float32Array {
  const length = Math.round(0.01 * rate);
  return samples.map((sample, n) => sample * Math.min(1, n / length, (samples.length - 1 - n) / length));
}

/**
 * 20 ms of a sine at a sixth of the rate under a Hann envelope, made at four times the rate, one sample of four kept; in
 * the middle of a second of silence.
 */
function burst(rate: number, offset: number): Float32Array {
  const length = Math.round((4 * rate) / 50);
  const centre = Math.round(length / 2);
  const samples = new Float32Array(rate);
  const start = Math.round(rate / 2);
  for (let i = 0; 4 * i + offset < length; i++) {
    const n = 4 * i + offset - centre;
    const envelope = 0.5 + 0.5 * Math.cos((2 * Math.PI * n) / length);
    samples[start + i] = envelope * Math.cos((2 * Math.PI * n) / 24);
  }
  return samples;
}
