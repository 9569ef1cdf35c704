import fc from 'fast-check';
import t from 'tap';
import { ApiError } from '../../../src/errors.js';
import { formatIdentifier, identifierUrl, platforms } from '../../../src/catalog/identifiers/identifier.js';
import { parseIdentifier } from '../../../src/catalog/identifiers/parse.js';
import { platformNames, type PlatformName } from '../../../src/catalog/identifiers/platform.js';

const spotify = 'spotify:4PTG3Z6ehGkBFwjybzWkR8';
const youtube = 'youtube:dQw4w9WgXcQ';
const mbid = 'mbid:b1a9c0e9-d987-4042-ae91-78d6a3267d69';

/** Forms seen in the wild, by what they mean. */
const forms: Record<string, string[]> = {
  'isrc:GBARL9300135': [
    'GBARL9300135',
    'gbarl9300135',
    'GB-ARL-93-00135',
    'isrc:GBARL9300135',
    'ISRC:gb-arl-93-00135',
    'urn:isrc:GBARL9300135',
    'https://musicbrainz.org/isrc/GBARL9300135',
    '  GBARL9300135 ',
  ],
  'isrc:QZES71982312': ['QZES71982312', 'isrc:QZ-ES7-19-82312'],
  [mbid]: [
    'b1a9c0e9-d987-4042-ae91-78d6a3267d69',
    'B1A9C0E9-D987-4042-AE91-78D6A3267D69',
    'mbid:b1a9c0e9-d987-4042-ae91-78d6a3267d69',
    'https://musicbrainz.org/recording/b1a9c0e9-d987-4042-ae91-78d6a3267d69',
    'https://beta.musicbrainz.org/recording/b1a9c0e9-d987-4042-ae91-78d6a3267d69/fingerprints',
    'https://musicbrainz.org/ws/2/recording/b1a9c0e9-d987-4042-ae91-78d6a3267d69?inc=isrcs&fmt=json',
    'https://listenbrainz.org/track/b1a9c0e9-d987-4042-ae91-78d6a3267d69/',
    'https://acousticbrainz.org/b1a9c0e9-d987-4042-ae91-78d6a3267d69',
    'https://acousticbrainz.org/api/v1/b1a9c0e9-d987-4042-ae91-78d6a3267d69/low-level',
  ],
  [spotify]: [
    '4PTG3Z6ehGkBFwjybzWkR8',
    spotify,
    'spotify:track:4PTG3Z6ehGkBFwjybzWkR8',
    'spotify://track/4PTG3Z6ehGkBFwjybzWkR8',
    'https://open.spotify.com/track/4PTG3Z6ehGkBFwjybzWkR8',
    'http://open.spotify.com/track/4PTG3Z6ehGkBFwjybzWkR8',
    'open.spotify.com/track/4PTG3Z6ehGkBFwjybzWkR8',
    'https://open.spotify.com/track/4PTG3Z6ehGkBFwjybzWkR8?si=1d2c3b4a5f6e7d8c&nd=1#login',
    'https://open.spotify.com/intl-de/track/4PTG3Z6ehGkBFwjybzWkR8?si=abc',
    'https://open.spotify.com/intl-pt/track/4PTG3Z6ehGkBFwjybzWkR8/',
    'https://open.spotify.com/embed/track/4PTG3Z6ehGkBFwjybzWkR8?utm_source=generator',
    'https://open.spotify.com/album/6N9PS4QXF1D0OWPk0Sxtb4?highlight=spotify:track:4PTG3Z6ehGkBFwjybzWkR8',
    'https://embed.spotify.com/?uri=spotify:track:4PTG3Z6ehGkBFwjybzWkR8',
    'https://embed.spotify.com/?uri=spotify%3Atrack%3A4PTG3Z6ehGkBFwjybzWkR8',
    'https://play.spotify.com/track/4PTG3Z6ehGkBFwjybzWkR8',
    'https%3A%2F%2Fopen.spotify.com%2Ftrack%2F4PTG3Z6ehGkBFwjybzWkR8',
    'https://song.link/s/4PTG3Z6ehGkBFwjybzWkR8',
  ],
  'apple:1559523359': [
    'apple:1559523359',
    'https://music.apple.com/us/album/never-gonna-give-you-up/1559523357?i=1559523359',
    'https://music.apple.com/gb/album/1559523357?i=1559523359&ls',
    'https://music.apple.com/de/album/never-gonna-give-you-up/1559523357?l=en&i=1559523359&uo=4',
    'https://music.apple.com/album/x/1559523357?i=1559523359',
    'https://music.apple.com/us/song/never-gonna-give-you-up/1559523359',
    'https://music.apple.com/jp/song/1559523359',
    'https://geo.music.apple.com/us/album/_/1559523357?i=1559523359&app=music',
    'https://embed.music.apple.com/us/album/never-gonna-give-you-up/1559523357?i=1559523359',
    'https://itunes.apple.com/us/album/never-gonna-give-you-up/id1559523357?i=1559523359',
    'https://itunes.apple.com/gb/album/id1559523357?i=1559523359&uo=4&at=11l3Yq',
    'https://song.link/us/i/1559523359',
  ],
  'deezer:781592622': [
    'deezer:781592622',
    'https://www.deezer.com/track/781592622',
    'https://www.deezer.com/en/track/781592622',
    'https://www.deezer.com/fr/track/781592622?utm_source=deezer&utm_content=track-781592622',
    'deezer.com/us/track/781592622',
    'https://widget.deezer.com/widget/dark/track/781592622',
    'https://api.deezer.com/track/781592622',
    'deezer://www.deezer.com/track/781592622',
  ],
  [youtube]: [
    youtube,
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=RDdQw4w9WgXcQ&start_radio=1',
    'https://youtube.com/watch?list=PL1&index=3&v=dQw4w9WgXcQ&t=42s',
    'https://m.youtube.com/watch?v=dQw4w9WgXcQ&feature=youtu.be',
    'https://music.youtube.com/watch?v=dQw4w9WgXcQ&si=abc',
    'https://youtu.be/dQw4w9WgXcQ',
    'https://youtu.be/dQw4w9WgXcQ?si=x1y2z3&t=10',
    'youtu.be/dQw4w9WgXcQ',
    'https://www.youtube.com/embed/dQw4w9WgXcQ?autoplay=1',
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
    'https://www.youtube.com/v/dQw4w9WgXcQ',
    'https://youtube.com/shorts/dQw4w9WgXcQ?feature=share',
    'https://www.youtube.com/live/dQw4w9WgXcQ',
    'https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3DdQw4w9WgXcQ%26feature%3Dshare',
    'vnd.youtube:dQw4w9WgXcQ',
  ],
  'tidal:1781887': [
    'tidal:1781887',
    'https://tidal.com/browse/track/1781887',
    'https://tidal.com/track/1781887?u',
    'https://tidal.com/browse/track/1781887/u',
    'https://listen.tidal.com/track/1781887',
    'https://listen.tidal.com/album/1781886/track/1781887',
    'https://embed.tidal.com/tracks/1781887',
    'tidal://track/1781887',
  ],
  'amazon:B00GMK0S5S': [
    'amazon:B00GMK0S5S',
    'amazon:b00gmk0s5s',
    'https://music.amazon.com/tracks/B00GMK0S5S',
    'https://music.amazon.co.uk/tracks/B00GMK0S5S?marketplaceId=A1F83G8C2ARO7P&musicTerritory=GB',
    'https://music.amazon.com/albums/B00GMK0JVQ?trackAsin=B00GMK0S5S',
    'https://music.amazon.de/albums/B00GMK0JVQ?do=play&trackAsin=B00GMK0S5S&ref=dm_sh_1',
    'https://music.amazon.com.br/albums/B00GMK0JVQ?trackAsin=B00GMK0S5S',
    'https://www.amazon.com/dp/B00GMK0S5S',
    'https://www.amazon.co.jp/gp/product/B00GMK0S5S?tag=x-22',
    'https://www.amazon.com/Never-Gonna-Give-You-Up/dp/B00GMK0S5S/ref=sr_1_1?keywords=rick',
  ],
  'beatport:17262043': [
    'beatport:17262043',
    'https://www.beatport.com/track/some-words-original-mix/17262043',
    'https://www.beatport.com/de/track/some-words/17262043',
    'https://pro.beatport.com/track/some-words/17262043',
    'https://embed.beatport.com/?id=17262043&type=track',
  ],
  'discogs:r249504': [
    'discogs:249504',
    'discogs:r249504',
    'discogs:[r249504]',
    'https://www.discogs.com/release/249504-Rick-Astley-Never-Gonna-Give-You-Up',
    'https://www.discogs.com/de/release/249504',
    'https://www.discogs.com/Rick-Astley-Never-Gonna-Give-You-Up/release/249504',
  ],
  'discogs:m96559': [
    'discogs:m96559',
    'https://www.discogs.com/master/96559-Rick-Astley-Never-Gonna-Give-You-Up',
  ],
  trk_1a2b3: ['trk_1a2b3', 'TRK_1A2B3'],
};

for (const [meaning, texts] of Object.entries(forms)) {
  t.test(`every form of ${meaning} is understood`, async (t) => {
    for (const text of texts) t.equal(formatIdentifier(parseIdentifier(text)), meaning, text);
  });
}

function refusal(text: string): ApiError {
  try {
    throw new Error(`${text} was taken for ${formatIdentifier(parseIdentifier(text))}`);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

t.test('short links are refused, for only the network knows what they mean', async (t) => {
  for (const url of [
    'https://spotify.link/aBcDeF',
    'https://link.tospotify.com/aBcDeF',
    'https://on.soundcloud.com/aBcDe',
    'https://deezer.page.link/aBcDeF',
    'https://link.deezer.com/s/aBcDeF',
    'https://amzn.to/3aBcDe',
    'https://artist.lnk.to/album',
    'https://bit.ly/abc',
    'spoti.fi/abc',
    'https://song.link/abcdef',
  ]) {
    const error = refusal(url);
    t.equal(error.code, 'invalid_parameter', url);
    t.match(error.message, /short links.*Open it and send the address/, url);
  }
});

t.test('a bare number is ambiguous, and the candidates are named', async (t) => {
  const error = refusal('781592622');
  t.equal(error.code, 'ambiguous_identifier');
  t.equal(error.param, 'id');
  t.same(error.details?.candidates, [
    'apple:781592622',
    'deezer:781592622',
    'tidal:781592622',
    'beatport:781592622',
    'discogs:r781592622',
  ]);
});

t.test('what names no track is refused with what would', async (t) => {
  const expected: Record<string, RegExp> = {
    'https://open.spotify.com/album/6N9PS4QXF1D0OWPk0Sxtb4': /names no track.*open\.spotify\.com\/track\//,
    'https://open.spotify.com/playlist/37i9dQZF1DXcBWIGoYBM5M': /names no track/,
    'https://music.apple.com/us/album/whenever/1559523357': /names no track/,
    'https://music.apple.com/us/artist/rick-astley/669771': /names no track/,
    'https://www.youtube.com/playlist?list=PL123': /names no track/,
    'https://www.youtube.com/@channel': /names no track/,
    'https://www.youtube.com/attribution_link?u=http%3A%2F%2F%5B': /names no track/,
    'https://musicbrainz.org/release/b1a9c0e9-d987-4042-ae91-78d6a3267d69': /names no track/,
    'https://music.amazon.com/albums/B00GMK0JVQ': /names no track/,
    'https://open.spotify.com.example.org/track/4PTG3Z6ehGkBFwjybzWkR8': /not understood/,
    'https://example.com/track/4PTG3Z6ehGkBFwjybzWkR8': /not understood/,
    'https://': /no track identifier/,
    'spotify:tooshort': /no id of a Spotify track/,
    'spotify:album:6N9PS4QXF1D0OWPk0Sxtb4': /no id of a Spotify track/,
    'deezer:abc': /no id of a Deezer track/,
    'deezer:0': /no id of a Deezer track/,
    'trk:1a2b3': /no track identifier/,
    'napster:1234': /no track identifier/,
    dQw4w9WgXcQ: /no track identifier.*youtube:…/,
    '': /no track identifier/,
    'Never Gonna Give You Up': /no track identifier/,
  };
  for (const [text, message] of Object.entries(expected)) {
    const error = refusal(text);
    t.equal(error.code, 'invalid_parameter', text);
    t.match(error.message, message, text);
  }
});

const text = (pattern: RegExp) => fc.stringMatching(pattern);
const number = fc.integer({ min: 1, max: 2 ** 40 }).map(String);
const values: Record<PlatformName, fc.Arbitrary<string>> = {
  isrc: text(/^[A-Z]{2}[A-Z0-9]{3}[0-9]{7}$/),
  mbid: fc.uuid(),
  spotify: text(/^[0-9A-Za-z]{22}$/),
  apple: number,
  deezer: number,
  youtube: text(/^[0-9A-Za-z_-]{11}$/),
  tidal: number,
  amazon: text(/^B[0-9A-Z]{9}$/),
  beatport: number,
  discogs: fc
    .tuple(fc.constantFrom('r', 'm'), fc.integer({ min: 1, max: 1e9 }))
    .map((parts) => parts.join('')),
  trk: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map((row) => row.toString(36)),
};

for (const platform of platformNames) {
  t.test(`what is written of ${platform} is read back as the same, also from its page`, async () => {
    fc.assert(
      fc.property(values[platform], (value) => {
        const identifier = { platform, value };
        const url = identifierUrl(identifier);
        const forms = [
          formatIdentifier(identifier),
          ...(url === undefined ? [] : [url, encodeURIComponent(url)]),
        ];
        for (const form of forms) {
          const back = parseIdentifier(form);
          if (formatIdentifier(back) !== formatIdentifier(identifier))
            throw new Error(`${form} → ${formatIdentifier(back)}`);
        }
      }),
    );
  });
}

t.test('whatever is sent is read or refused, never failed on', async () => {
  const pieces = fc.constantFrom(
    ...[
      'https://',
      'open.spotify.com',
      '/track/',
      'spotify:',
      ':',
      '/',
      '?i=',
      '%3A',
      '%',
      '..',
      'youtu.be/',
      '[',
      '\0',
      '0',
    ],
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 8 }), (parts) => {
      try {
        const { platform, value } = parseIdentifier(parts.join(''));
        return platforms[platform].canonical(value) === value;
      } catch (error) {
        return error instanceof ApiError;
      }
    }),
    { numRuns: 2000 },
  );
});
