import t from 'tap';
import { Matcher } from '../../../src/catalog/match.js';
import { artistParts, normaliseText, titleParts } from '../../../src/catalog/normalise.js';
import { renameTrack } from '../../../src/catalog/add-track.js';
import { add, openCatalog } from '../../helpers/catalog.js';

t.test('names differ in nothing but their writing', async (t) => {
  const same: [string, string][] = [
    ['Beyoncé', 'BEYONCE'],
    ['Beyonce\u0301', 'Beyoncé'],
    ['Sigur Rós', 'sigur ros'],
    ['Кино', 'Kino'],
    ['Μαρία', 'Maria'],
    ['がんばれ', 'ganbare'],
    ['P!nk', 'Pink'],
    ['Ke$ha', 'Kesha'],
    ['R.E.M.', 'REM'],
    ['Don’t Stop', "Don't Stop"],
    ['Rock ’n’ Roll', 'Rock and Roll'],
    ["Guns N' Roses", 'Guns and Roses'],
    ['Florence + The Machine', 'florence and the machine'],
    ['ＡＢＢＡ', 'abba'],
  ];
  for (const [a, b] of same) t.equal(normaliseText(a), normaliseText(b), `${a} = ${b}`);
  for (const signs of ['!!!', '÷', '…', '∆']) t.not(normaliseText(signs), '', `${signs} has a name`);
  t.not(normaliseText('÷'), normaliseText('×'));
});

t.test('artists are the same in any order, with or without those featured', async (t) => {
  t.same(artistParts('Simon & Garfunkel'), artistParts('Garfunkel and Simon'));
  t.same(artistParts('The Beatles'), artistParts('Beatles, The'));
  t.same(artistParts('Calvin Harris feat. Rihanna'), ['calvin harris']);
  t.same(artistParts('Calvin Harris (ft. Rihanna)'), ['calvin harris']);
  t.same(artistParts('Tyler, The Creator'), artistParts('Tyler The Creator'));
  t.same(artistParts('Earth, Wind & Fire'), ['earth', 'fire', 'wind']);
  t.same(artistParts('The The'), ['the the']);
});

t.test('a title says which recording it is', async (t) => {
  const expected: Record<string, [string, string[], string[]]> = {
    'Titanium (feat. Sia)': ['titanium', [], []],
    'Titanium [David Guetta Remix]': ['titanium', ['remix david guetta'], []],
    'Heroes - 2017 Remaster': ['heroes', [], ['remaster']],
    'Heroes (Single Version) [2014 Remaster]': ['heroes', [], ['remaster']],
    'Creep - Live at Reading': ['creep', ['live reading'], []],
    'Creep (Acoustic)': ['creep', ['acoustic'], []],
    'Strobe - Radio Edit': ['strobe', [], ['radio edit']],
    'Strobe (Original Mix)': ['strobe', [], []],
    "(I Can't Get No) Satisfaction": ['i cant get no satisfaction', [], []],
    'Live and Let Die': ['live and let die', [], []],
    'Live Forever': ['live forever', [], []],
    Demons: ['demons', [], []],
    'Ignition (Remix)': ['ignition', ['remix'], []],
    'The Sound of Silence': ['sound of silence', [], []],
    'Cruel Summer (Taylor’s Version)': ['cruel summer', ['re-recording'], []],
    'Marry Me - Part 2': ['marry me part 2', [], []],
  };
  for (const [title, [base, versions, editions]] of Object.entries(expected)) {
    t.same(titleParts(title), { base, versions, editions }, title);
  }
});

t.test('a track is found by its names however they are written', async (t) => {
  const catalog = openCatalog(t);
  const matcher = new Matcher(catalog);
  const ids = {
    give: add(catalog, 'Rick Astley', 'Never Gonna Give You Up'),
    crazy: add(catalog, 'Beyoncé feat. JAY-Z', 'Crazy in Love'),
    pressure: add(catalog, 'Queen & David Bowie', 'Under Pressure'),
    blood: add(catalog, 'Кино', 'Группа крови'),
    silence: add(catalog, 'Simon & Garfunkel', 'The Sound of Silence'),
    heroes: add(catalog, 'David Bowie', '"Heroes" - 2017 Remaster'),
    shape: add(catalog, 'Ed Sheeran', 'Shape of You'),
  };
  const queries: [string, string, number, 'exact' | 'fuzzy'][] = [
    ['never gonna give you up', 'RICK ASTLEY', ids.give, 'exact'],
    ['Never Gonna Give You Up', 'Rick Astly', ids.give, 'fuzzy'],
    ['Never Gona Give You Up', 'Rick Astley', ids.give, 'fuzzy'],
    ['Never Going To Give You Up', 'Rick Astley', ids.give, 'fuzzy'],
    ['Crazy In Love (feat. Jay-Z)', 'Beyonce', ids.crazy, 'exact'],
    ['Under Pressure', 'David Bowie and Queen', ids.pressure, 'exact'],
    ['Under Pressure', 'Queen', ids.pressure, 'fuzzy'],
    ['Gruppa krovi', 'Kino', ids.blood, 'exact'],
    ['Sound of Silence', 'Simon and Garfunkel', ids.silence, 'exact'],
    ['Heroes', 'David Bowie', ids.heroes, 'fuzzy'],
    ['Shape of Yuo', 'Ed Sheeran', ids.shape, 'fuzzy'],
  ];
  for (const [song, artist, id, how] of queries) {
    const [best] = matcher.find(song, artist).candidates;
    t.equal(best?.track.id, id, `${artist}: ${song}`);
    if (how === 'exact') t.equal(best?.score, 1, `${artist}: ${song} is the same`);
    else t.ok(best!.score < 1 && best!.score >= 0.85, `${artist}: ${song} scores ${best!.score}`);
  }
  for (const [song, artist] of [
    ['Never Gonna Let You Down', 'Rick Astley'],
    ['Under Pressure', 'Eminem'],
    ['Bohemian Rhapsody', 'Queen'],
    ['"; DROP TABLE tracks; --', '" OR "x'],
    ['*', 'NOT ( AND'],
  ] as const) {
    t.same(matcher.find(song, artist).candidates, [], `${artist}: ${song} is not known`);
  }
});

t.test('another version never answers for the original, nor the original for it', async (t) => {
  const catalog = openCatalog(t);
  const matcher = new Matcher(catalog);
  const live = add(catalog, 'Radiohead', 'Creep (Live at Reading)');
  t.same(matcher.find('Creep', 'Radiohead').candidates, []);
  t.same(
    matcher.find('Creep', 'Radiohead').otherVersions.map(({ track }) => track.id),
    [live],
  );
  const original = add(catalog, 'Radiohead', 'Creep');
  const remix = add(catalog, 'Radiohead', 'Creep (Very 2021 Remix)');
  const only = (song: string) => matcher.find(song, 'Radiohead').candidates.map(({ track }) => track.id);
  t.same(only('Creep'), [original]);
  t.same(only('Creep - Live at Reading'), [live]);
  t.same(only('Creep (Live)'), [live], 'live, wherever it was');
  t.same(only('Creep (Live in Paris)'), []);
  t.same(only('Creep [Very 2021 Remix]'), [remix]);
  t.same(only('Creep (Somebody Else Remix)'), []);
  t.same(only('Creep (Karaoke Version)'), []);
  const part = add(catalog, 'Pink Floyd', 'Another Brick in the Wall, Part 2');
  t.same(matcher.find('Another Brick in the Wall, Part 1', 'Pink Floyd').candidates, []);
  t.equal(matcher.find('Another Brick In The Wall (Part 2)', 'Pink Floyd').candidates[0]?.track.id, part);
});

t.test('of equally good matches the best known comes first', async (t) => {
  const catalog = openCatalog(t);
  add(catalog, 'Nena', '99 Luftballons', { popularity: 3 });
  const famous = add(catalog, 'Nena', '99 Luftballons', { popularity: 90 });
  add(catalog, 'Nena', '99 Luftballons', { popularity: 40 });
  const { candidates } = new Matcher(catalog).find('99 Luftballons', 'Nena');
  t.equal(candidates[0]?.track.id, famous);
  t.same(
    candidates.map(({ track }) => track.popularity),
    [90, 40, 3],
  );
});

t.test('a renamed track is found by its new names alone', async (t) => {
  const catalog = openCatalog(t);
  const id = add(catalog, 'Unknown Artist', 'Track 01');
  renameTrack(catalog, id, {
    artist: 'Nina Simone',
    title: 'Sinnerman',
    album: null,
    durationMs: null,
    popularity: 0,
  });
  const matcher = new Matcher(catalog);
  t.same(matcher.find('Track 01', 'Unknown Artist').candidates, []);
  t.equal(matcher.find('Sinnerman', 'Nina Simone').candidates[0]?.track.id, id);
  t.equal(matcher.find('Sinerman', 'Nina Simone').candidates[0]?.track.id, id);
});
