/** The address that is fetched: calendar programs write `webcal://` for an address that they read with https. */
export function toFeedUrl(text: string): string {
  return text.trim().replace(/^webcals?:\/\//i, 'https://')
}

/** The host of a valid address, which is shown to its owner. */
export function readFeedHost(url: string): string {
  return URL.parse(url)?.host ?? ''
}
