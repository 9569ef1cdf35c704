import anyAscii from 'any-ascii';

/**
 * A name without what writers differ in: script, accents, case, punctuation, "&" and "and". ASCII letters and digits with
 * single spaces; never empty unless the text is.
 *
 * NFKC and not NFKD, since any-ascii knows composed letters: split ones would lose Japanese voicing marks and Hangul.
 */
export function normaliseText(text: string): string {
  const composed = text.normalize('NFKC').trim();
  const ascii = anyAscii(composed.replaceAll(/[’‘`´ʼ]/g, "'")).toLowerCase();
  const plain = ascii
    // Letters in disguise, inside a word only: P!nk, Ke$ha, A$AP.
    .replaceAll(/(?<=[a-z])!(?=[a-z])/g, 'i')
    .replaceAll(/(?<=[a-z])\$(?=[a-z])/g, 's')
    .replaceAll(/[&+]/g, ' and ')
    .replaceAll(/'n'?(?= )|(?<= )n'(?= )/g, ' and')
    // An apostrophe joins (don't), a full stop too (R.E.M.), all else parts.
    .replaceAll(/['.]/g, '')
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();
  // Names of signs alone, such as "!!!" and "÷", are what they are.
  return plain || composed.toLowerCase().replaceAll(/\s+/g, ' ');
}

const withoutArticle = (name: string) => name.replace(/^the (?=.)/, '').replace(/(?<=.) the$/, '');

const featuring = /[\s([]+(?:feat|ft|featuring)\b\.?.*$/i;

/** Who the credit names, without those featured: normalised, without "The", in alphabetical order. */
export function artistParts(credit: string): string[] {
  const named = credit.replace(featuring, '') || credit;
  // "Tyler, The Creator" is one; the comma of "Beatles, The" goes with the article.
  const main = named.replace(/,(?=\s+the\s+\S)/i, '');
  const parts = main
    .split(/\s*[,;/&+]\s*|\s+(?:and|with|vs\.?|x|et|und|y)\s+/i)
    .map((part) => withoutArticle(normaliseText(part)))
    .filter((part) => part !== '' && part !== 'the');
  return parts.length > 0 ? [...new Set(parts)].sort() : [normaliseText(credit)];
}

export interface TitleParts {
  /** Normalised, without versions and featured artists. */
  base: string;
  /** Other recordings of the song: `live`, `remix david guetta`, … sorted. */
  versions: string[];
  /** The same recording in another dress: `remaster`, `radio edit`, … sorted. */
  editions: string[];
}

/** Words that make another recording of it, by what they are counted as. */
const versionWords: [RegExp, string][] = [
  [/\b(?:remix|rmx|mix|remixed|rework|reworked|bootleg|flip|refix|mashup|dub|vip|extended|club)\b/, 'remix'],
  [/\b(?:live|unplugged|session|sessions|concert|en vivo|ao vivo)\b/, 'live'],
  [/\b(?:acoustic|akustik|stripped)\b/, 'acoustic'],
  [/\binstrumental\b/, 'instrumental'],
  [/\b(?:karaoke|backing track|in the style of|made famous|originally performed|tribute)\b/, 'karaoke'],
  [/\bcover(?:ed)?\b/, 'cover'],
  [/\b(?:demo|rough|outtake|alternate|alternative take|take \d+)\b/, 'demo'],
  [/\b(?:a cappella|acapella|acappella)\b/, 'a cappella'],
  [/\b(?:sped up|speed up|nightcore)\b/, 'sped up'],
  [/\b(?:slowed|reverb)\b/, 'slowed'],
  [/\b(?:orchestral|symphonic|piano|string quartet) (?:version|arrangement)\b/, 'arrangement'],
  [/\b(?:re recorded|rerecorded|re recording|\w+s version)\b/, 're-recording'],
];

const editionWords: [RegExp, string][] = [
  [/\b(?:original mix|album version|single version|original version|lp version|main version)\b/, 'original'],
  [/\b(?:remaster|remastered|remasterizado)\b/, 'remaster'],
  [/\b(?:radio edit|radio version|radio mix|single edit|edit|short version)\b/, 'radio edit'],
  [/\b(?:mono|stereo)\b/, 'mix-down'],
  [/\b(?:explicit|clean|bonus track|deluxe|anniversary|edition)\b/, 'edition'],
];

/** Takes a title apart: "Song (feat. X) [Y Remix] - 2011 Remaster". Brackets that are part of the name stay in it. */
export function titleParts(title: string): TitleParts {
  const versions = new Set<string>();
  const editions = new Set<string>();
  const isAside = (text: string): boolean => {
    const words = normaliseText(text);
    if (/^(?:feat|ft|featuring|with) /.test(words)) return true;
    const edition = editionWords.find(([pattern]) => pattern.test(words));
    if (edition) {
      if (edition[1] !== 'original') editions.add(edition[1]);
      // "(Live) [Remastered]" in one: "Live, Remastered 2009"
      if (/\blive\b/.test(words)) versions.add('live');
      return true;
    }
    const version = versionWords.find(([pattern]) => pattern.test(words));
    if (!version) return false;
    const [pattern, kind] = version;
    // Whose remix, and where it was live, tell one from another.
    const detail = words.replace(pattern, ' ').replaceAll(/\b(?:version|at|in|from|the|recorded|on)\b/g, ' ');
    const details = detail.trim().replaceAll(/\s+/g, ' ');
    versions.add(details && (kind === 'remix' || kind === 'live') ? `${kind} ${details}` : kind);
    return true;
  };
  let rest = title.replaceAll(/[([{]([^()[\]{}]+)[)\]}]/g, (whole, inside: string, at: number) =>
    // A bracket at the very beginning belongs to the name: "(I Can't Get No) Satisfaction".
    at > 0 && isAside(inside) ? ' ' : whole,
  );
  for (;;) {
    const [, before, aside] = /^(.+?)\s+[-–—]\s+([^–—]+)$/.exec(rest) ?? [];
    if (before === undefined || aside === undefined || !isAside(aside)) break;
    rest = before;
  }
  rest = rest.replace(featuring, '') || rest;
  return {
    base: withoutArticle(normaliseText(rest)) || normaliseText(title),
    versions: [...versions].sort(),
    editions: [...editions].sort(),
  };
}

/** Under what a track is found exactly: all its artists with its title, and each of them alone. */
export function matchKeys(artist: string, title: string): string[] {
  const parts = artistParts(artist);
  const { base } = titleParts(title);
  return [...new Set([parts.join(' and '), ...parts])].map((name) => `${name}\n${base}`);
}

/** What trigrams are made of. */
export function matchName(artist: string, title: string): string {
  return `${artistParts(artist).join(' and ')} ${titleParts(title).base}`;
}
