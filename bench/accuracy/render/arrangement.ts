import { type MidiEvent, parseMidi, writeMidi } from 'midi-file';
import { parseChord } from '../metrics/chord-label.js';
import type { Song } from './pop909.js';

/** General MIDI programs (0–127) for the tracks of a song and for what is added to them. */
export interface Arrangement {
  melody: number;
  bridge: number;
  piano: number;
  /** Chord roots on every beat, and a beat on the drum kit. */
  rhythmSection?: { bass: number; kit: number };
  /** Distance of the whole song from A4 = 440 Hz, −100…100. */
  detuneCents: number;
}

const CHANNEL = { melody: 0, bridge: 1, piano: 2, bass: 3, drums: 9 } as const;
const DRUM = { kick: 36, snare: 38, hat: 42 } as const;
const BASS_LOWEST = 28; // E1, the lowest string of a bass
const TICKS_PER_S = 1000; // ticks of one millisecond: 500 to the beat at MIDI's default of 120 beats a minute

interface TimedEvent {
  timeS: number;
  event: MidiEvent;
}

/** A Standard MIDI File of the first `lengthS` seconds of a song, played by the given instruments. */
export function arrange(song: Song, arrangement: Arrangement, lengthS: number): Buffer {
  const { rhythmSection } = arrangement;
  const programs: [number, number][] = [
    [CHANNEL.melody, arrangement.melody],
    [CHANNEL.bridge, arrangement.bridge],
    [CHANNEL.piano, arrangement.piano],
  ];
  const events = playedEvents(song.midi);
  if (rhythmSection !== undefined) {
    programs.push([CHANNEL.bass, rhythmSection.bass], [CHANNEL.drums, rhythmSection.kit]);
    events.push(...bassLine(song), ...drumBeat(song));
  }
  const setUp = programs.flatMap(([channel, programNumber]) => [
    { timeS: 0, event: { deltaTime: 0, type: 'programChange' as const, channel, programNumber } },
    ...tuning(channel, arrangement.detuneCents),
  ]);
  const played = events.filter(({ timeS }) => timeS < lengthS);
  return writeFile([...setUp, ...played, ...programs.map(([channel]) => silence(channel, lengthS))]);
}

/** The notes and pedals of the file's tracks, at the times its tempo map gives them. */
function playedEvents(midi: Buffer): TimedEvent[] {
  const { header, tracks } = parseMidi(midi);
  const ticksPerBeat = header.ticksPerBeat ?? 480;
  const absolute = tracks.flatMap((track) => {
    let tick = 0;
    return track.map((event) => ({ tick: (tick += event.deltaTime), event }));
  });
  absolute.sort((a, b) => a.tick - b.tick);
  const played: TimedEvent[] = [];
  let secondsPerTick = 0.5 / ticksPerBeat;
  let lastTick = 0;
  let timeS = 0;
  for (const { tick, event } of absolute) {
    timeS += (tick - lastTick) * secondsPerTick;
    lastTick = tick;
    if (event.type === 'setTempo') secondsPerTick = event.microsecondsPerBeat / 1e6 / ticksPerBeat;
    if (event.type === 'noteOn' || event.type === 'noteOff' || event.type === 'controller') {
      played.push({ timeS, event });
    }
  }
  return played;
}

/** The root of the chord that sounds, on every beat. */
function bassLine(song: Song): TimedEvent[] {
  return song.beats.flatMap((beat, i) => {
    const chord = song.chords.find(
      ({ startS, endS }) => startS <= beat.timeS + 0.01 && beat.timeS + 0.01 < endS,
    );
    const root = chord === undefined ? null : parseChord(chord.label).root;
    const next = song.beats[i + 1];
    if (root === null || next === undefined) return [];
    const pitch = BASS_LOWEST + ((((root - BASS_LOWEST) % 12) + 12) % 12);
    return note(CHANNEL.bass, pitch, 95, beat.timeS, 0.9 * (next.timeS - beat.timeS));
  });
}

/** Kick on the downbeat and two beats later, snare between, hi-hat in eighths. */
function drumBeat(song: Song): TimedEvent[] {
  let place = 0;
  return song.beats.flatMap((beat, i) => {
    place = beat.downbeat ? 0 : place + 1;
    const next = song.beats[i + 1];
    const hits = [
      ...note(CHANNEL.drums, place % 2 === 0 ? DRUM.kick : DRUM.snare, 100, beat.timeS, 0.1),
      ...note(CHANNEL.drums, DRUM.hat, 80, beat.timeS, 0.1),
    ];
    if (next !== undefined) {
      hits.push(...note(CHANNEL.drums, DRUM.hat, 60, (beat.timeS + next.timeS) / 2, 0.1));
    }
    return hits;
  });
}

function note(
  channel: number,
  noteNumber: number,
  velocity: number,
  startS: number,
  lengthS: number,
): TimedEvent[] {
  return [
    { timeS: startS, event: { deltaTime: 0, type: 'noteOn', channel, noteNumber, velocity } },
    { timeS: startS + lengthS, event: { deltaTime: 0, type: 'noteOff', channel, noteNumber, velocity: 0 } },
  ];
}

/** Registered parameter 1, channel fine tuning: 14 bits, 8192 is none, 8192 steps are 100 cents. */
function tuning(channel: number, cents: number): TimedEvent[] {
  const value = Math.min(16383, Math.max(0, Math.round(8192 + (cents / 100) * 8192)));
  const controllers: [number, number][] = [
    [101, 0],
    [100, 1],
    [6, value >> 7],
    [38, value & 127],
  ];
  return controllers.map(([controllerType, data]) => ({
    timeS: 0,
    event: { deltaTime: 0, type: 'controller', channel, controllerType, value: data },
  }));
}

/** Controller 120, all sound off: a note cut from its end would ring for ever, and FluidSynth would wait for it. */
function silence(channel: number, timeS: number): TimedEvent {
  return { timeS, event: { deltaTime: 0, type: 'controller', channel, controllerType: 120, value: 0 } };
}

function writeFile(events: TimedEvent[]): Buffer {
  const sorted = [...events].sort((a, b) => a.timeS - b.timeS); // stable: the set-up stays first
  let lastTick = 0;
  const track: MidiEvent[] = sorted.map(({ timeS, event }) => {
    const tick = Math.round(timeS * TICKS_PER_S);
    const deltaTime = tick - lastTick;
    lastTick = tick;
    return { ...event, deltaTime };
  });
  track.push({ deltaTime: 0, meta: true, type: 'endOfTrack' });
  const header = { format: 0 as const, numTracks: 1, ticksPerBeat: TICKS_PER_S / 2 };
  return Buffer.from(writeMidi({ header, tracks: [track] }));
}
