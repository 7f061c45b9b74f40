import { tidy } from './clean.ts'
import { holdsSecondLink, isBelow, readingsOf, type Link } from './link.ts'

/** Pages that only lead on to the link they carry. */
const WRAPPERS: ReadonlyArray<{ isMet: (link: Link) => boolean; fields: readonly string[] }> = [
  {
    isMet: ({ host, path }) =>
      (host === 'google.com' || host === 'www.google.com') && path === '/url',
    fields: ['q', 'url'],
  },
  {
    isMet: ({ host }) => isBelow(host, 'safelinks.protection.outlook.com'),
    fields: ['url'],
  },
]
const MAX_WRAPPERS = 3

/** The readings of a pasted text as a link, out of its wrappers, plainest first; none when it is not safe to read. */
export function linksIn(given: string): Link[] {
  let text = tidy(given)
  for (let layer = 0; text !== null && layer <= MAX_WRAPPERS; layer += 1) {
    const links = readingsOf(text)
    const wrapped = links.map(wrappedIn).find((inner) => inner !== null)
    if (wrapped === undefined) return holdsSecondLink(text) ? [] : links
    text = tidy(wrapped)
  }
  return []
}

function wrappedIn(link: Link): string | null {
  const wrapper = WRAPPERS.find(({ isMet }) => isMet(link))
  if (wrapper === undefined) return null
  const query = new URLSearchParams(link.query)
  return wrapper.fields.map((field) => query.get(field)).find((value) => value !== null) ?? null
}
