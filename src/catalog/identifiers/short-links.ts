/**
 * Hosts whose addresses say nothing of what they lead to: only asking them would tell. The service asks nobody, because a
 * lookup has 10 ms and a server that fetches what strangers name is a danger to its own network.
 */
const hosts = new Set(
  `spotify.link link.tospotify.com tospotify.com spoti.fi on.soundcloud.com soundcloud.app.goo.gl snd.sc deezer.page.link
  dzr.page.link link.deezer.com amzn.to amzn.eu amzn.com a.co apple.co itun.es tidal.link lnk.to ffm.to fanlink.to
  fanlink.tv smarturl.it found.ee orcd.co push.fm bfan.link linktr.ee li.sten.to hypeddit.com toneden.io songwhip.com
  album.link mylink.page btprt.dj bit.ly tinyurl.com t.co goo.gl is.gd ow.ly rb.gy cutt.ly shorturl.at`.split(
    /\s+/,
  ),
);

/** True of a short host, and of hosts under it, such as `artist.lnk.to`. */
export function isShortHost(host: string): boolean {
  const labels = host.split('.');
  return labels.some((_, i) => hosts.has(labels.slice(i).join('.')));
}
