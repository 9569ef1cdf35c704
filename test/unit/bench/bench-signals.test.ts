import { type MidiEvent, parseMidi, writeMidi } from 'midi-file';
import t from 'tap';
import { arrange, type Arrangement } from '../../../bench/accuracy/render/arrangement.js';
import { ebuSignals } from '../../../bench/accuracy/render/ebu-signals.js';
import { floatWav } from '../../../bench/wav.js';

const piano: Arrangement = { melody: 1, bridge: 2, piano: 3, detuneCents: 0 };

/** Two bars at 60 beats a minute: one melody note that lasts for all of it, a D minor chord. */
const song = {
  id: '007',
  midi: Buffer.from(
    writeMidi({
      header: { format: 1, numTracks: 1, ticksPerBeat: 480 },
      tracks: [
        [
          { deltaTime: 0, meta: true, type: 'setTempo', microsecondsPerBeat: 1_000_000 },
          { deltaTime: 480, type: 'noteOn', channel: 0, noteNumber: 74, velocity: 90 },
          { deltaTime: 7 * 480, type: 'noteOff', channel: 0, noteNumber: 74, velocity: 0 },
          { deltaTime: 0, meta: true, type: 'endOfTrack' },
        ],
      ],
    }),
  ),
  key: { tonic: 2, mode: 'minor' as const },
  beats: Array.from({ length: 8 }, (_, i) => ({ timeS: i, downbeat: i % 4 === 0 })),
  chords: [{ startS: 0, endS: 8, label: 'D:min' }],
};

/** The events of an arrangement with their times; a tick is a millisecond. */
function played(arrangement: Arrangement, lengthS: number): { ms: number; event: MidiEvent }[] {
  let ms = 0;
  return parseMidi(arrange(song, arrangement, lengthS)).tracks[0]!.map((event) => ({
    ms: (ms += event.deltaTime),
    event,
  }));
}

t.test('notes keep their times and get the instruments asked for', async (t) => {
  const events = played(piano, 20);
  t.match(
    events.find(({ event }) => event.type === 'noteOn'),
    { ms: 1000, event: { channel: 0, noteNumber: 74 } },
  );
  const programs = events.flatMap(({ event }) =>
    event.type === 'programChange' ? [event.programNumber] : [],
  );
  t.same(programs, [1, 2, 3]);
});

t.test('an excerpt ends on time with every channel silenced, so that no note rings on', async (t) => {
  const events = played(piano, 3);
  t.notOk(events.some(({ event }) => event.type === 'noteOff'));
  const silenced = events.filter(({ event }) => event.type === 'controller' && event.controllerType === 120);
  t.same(
    silenced.map(({ ms }) => ms),
    [3000, 3000, 3000],
  );
  t.equal(events.at(-1)!.ms, 3000);
});

t.test('detuning is sent as fine tuning in 8192 steps for 100 cents', async (t) => {
  const data = (cents: number): number[] =>
    played({ ...piano, detuneCents: cents }, 1)
      .slice(1, 5)
      .map(({ event }) => (event.type === 'controller' ? event.value : NaN));
  t.same(data(0), [0, 1, 64, 0]);
  t.same(data(50), [0, 1, 96, 0]); // 12288 = 96 · 128
  t.same(data(-100), [0, 1, 0, 0]);
});

t.test(
  'the rhythm section plays the root on the beat, kick on one and three, snare on two and four',
  async (t) => {
    const events = played({ ...piano, rhythmSection: { bass: 33, kit: 0 } }, 20);
    const struck = (channel: number, wanted: readonly number[]): number[] =>
      events.flatMap(({ ms, event }) =>
        event.type === 'noteOn' && event.channel === channel && wanted.includes(event.noteNumber) ? [ms] : [],
      );
    t.same(struck(3, [38]), [0, 1000, 2000, 3000, 4000, 5000, 6000]); // D2
    t.same(struck(9, [36]), [0, 2000, 4000, 6000]);
    t.same(struck(9, [38]), [1000, 3000, 5000, 7000]);
    t.equal(struck(9, [42]).length, 15);
  },
);

t.test('the EBU signals are all there, at their levels', async (t) => {
  const signals = ebuSignals(8000);
  const cases = new Set(signals.map(({ name }) => name.split(/[- ]/).slice(0, 2).join('-')));
  const numbers = [1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23];
  t.same(new Set([...numbers.map((n) => `3341-${n}`), ...[1, 2, 3, 4].map((n) => `3342-${n}`)]), cases);
  const [first] = signals;
  const power = first!.channels[0]!.reduce((sum, x) => sum + x * x, 0) / first!.channels[0]!.length;
  t.ok(Math.abs(10 * Math.log10(2 * power) + 23) < 0.01, 'a sine of −23 dBFS by its peak');
});

t.test('the bursts of cases 20 to 23 peak at full scale between the samples of all but one', async (t) => {
  const bursts = ebuSignals(8000).filter(({ name }) => /^3341-2[0-3]$/.test(name));
  const peaks = bursts.map(({ channels }) =>
    channels[0]!.reduce((peak, x) => Math.max(peak, Math.abs(x)), 0),
  );
  t.equal(peaks.length, 4);
  t.equal(peaks.filter((peak) => peak > 0.9999).length, 1);
  t.ok(peaks.every((peak) => peak > 0.8));
});

t.test('a float WAV carries its format and its samples interleaved', async (t) => {
  const wav = floatWav([Float32Array.from([0.5, -0.5]), Float32Array.from([1, 0.25])], 48000, 3);
  t.equal(wav.length, 68 + 16);
  t.equal(wav.readUInt32LE(4), wav.length - 8);
  t.equal(wav.readUInt32LE(24), 48000);
  t.equal(wav.readUInt32LE(64), 16);
  t.same(
    [68, 72, 76, 80].map((at) => wav.readFloatLE(at)),
    [0.5, 1, -0.5, 0.25],
  );
});
