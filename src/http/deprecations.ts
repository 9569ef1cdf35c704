/** What is going away, by operation id. Announced at least 90 days ahead, and in CHANGELOG.md. */
export const deprecations: Record<string, Deprecation> = {};

export interface Deprecation {
  /** When it was announced. */
  since: Date;
  /** When it stops working; at least 90 days later. */
  sunset: Date;
  /** Where to read what to do instead. */
  link: string;
}

const minimumNoticeMs = 90 * 86_400_000;

/** `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) headers, with a link to what to do. */
export function deprecationHeaders({ since, sunset, link }: Deprecation): Record<string, string> {
  if (sunset.getTime() - since.getTime() < minimumNoticeMs)
    throw new RangeError('a sunset is announced 90 days ahead');
  return {
    deprecation: `@${Math.floor(since.getTime() / 1000)}`,
    sunset: sunset.toUTCString(),
    link: `<${link}>; rel="deprecation"`,
  };
}
