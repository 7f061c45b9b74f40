/**
 * If a source's last packet is this much older than another's, the two do not speak at the same time. The browser lists
 * sources for ten seconds, and a packet has at most 60 ms of sound.
 */
const SOURCE_AGE_MS = 70
const MAX_SOURCES = 16

/**
 * The contributing sources of sound that was heard at a time, the loudest first; of equally loud ones, the previously
 * dominant one first. A busy page reads sound late and may already list a later speaker. The source whose last packet
 * was the first after that time spoke then.
 */
export function selectSources(sources, heardAt, dominant) {
  const { Math, Number } = globalThis
  const isDominant = ({ source }) => Number(source === dominant)
  const since = sources.filter(({ timestamp }) => timestamp > heardAt - SOURCE_AGE_MS)
  const listed = since.length > 0 ? since : sources
  let first = Infinity
  let last = -Infinity
  for (const { timestamp } of listed) {
    first = Math.min(first, timestamp)
    last = Math.max(last, timestamp)
  }
  const from = since.length > 0 ? first : last - SOURCE_AGE_MS
  return listed
    .filter(({ timestamp }) => timestamp >= from && timestamp < from + SOURCE_AGE_MS + 1)
    .toSorted((a, b) => (b.audioLevel ?? 0) - (a.audioLevel ?? 0) || isDominant(b) - isDominant(a))
    .slice(0, MAX_SOURCES)
    .map(({ source }) => source)
}
