import { sha256 } from '../../lib/crypto.ts'
import { markup, NO_HTML, type SafeHtml } from '../../lib/text/safe-html.ts'
import { formatDay } from '../../lib/time/day-text.ts'
import type { DigestSection } from '../../recap/digest/digest-sections.ts'
import { formatPeriod, linkOfItem, type PersonDigest } from './person-digest.ts'

type FeedLinks = { userId: string; publicUrl: string; selfUrl: string }

/** What XML 1.0 does not allow even as a reference. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

/** Digests as an Atom feed (RFC 4287), newest first. `content` is all of it except the time of the last change. */
export function renderAtomFeed(
  digests: readonly PersonDigest[],
  { userId, publicUrl, selfUrl }: FeedLinks,
): { content: string; toXml(changedAt: Date): string } {
  const entries = digests.map((digest) => renderEntry(digest, userId, publicUrl))
  const head = markup`<title>Digest · Hansard</title>
<id>${formatUuid(`digest feed ${userId}`)}</id>
<author><name>Hansard</name></author>
<link rel="self" type="application/atom+xml" href="${selfUrl}"/>
<link rel="alternate" type="text/html" href="${publicUrl}/"/>`
  const toXml = (updated: SafeHtml) =>
    String(markup`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
${head}
${updated}
${entries}</feed>
`).replaceAll(NOT_XML, '')
  return {
    content: toXml(NO_HTML),
    toXml: (changedAt) => toXml(markup`<updated>${changedAt.toISOString()}</updated>`),
  }
}

function renderEntry(digest: PersonDigest, userId: string, publicUrl: string): SafeHtml {
  const { schedule, period, counts, sections } = digest
  const html = markup`<p>${formatPeriod(digest)}</p>
${sections.map((section) => renderSection(section, publicUrl))}`
  const title = `${formatDay(period.day)}: ${counts}`
  const updated = period.to.toISOString()
  // The same digest keeps its id, whatever is corrected in it later.
  const id = formatUuid(`${schedule.frequency} digest ${userId} ${period.day}`)
  return markup`<entry>
<title type="text">${title}</title>
<id>${id}</id>
<published>${updated}</published>
<updated>${updated}</updated>
<link rel="alternate" type="text/html" href="${publicUrl}/"/>
<content type="html">${String(html)}</content>
</entry>
`
}

function renderSection({ heading, items, others }: DigestSection, publicUrl: string): SafeHtml {
  const shown = items.map((item) => {
    const link = markup`<a href="${linkOfItem(item, publicUrl)}">${item.meetingTitle ?? item.text}</a>`
    const notes = item.notes.map((note) => markup` · ${note}`)
    return item.meetingTitle === null
      ? markup`<li>${link}${notes}</li>
`
      : markup`<li>${item.text}${notes} · ${link}</li>
`
  })
  const rest = others > 0 ? markup`<p>${others} more in Hansard.</p>` : NO_HTML
  return markup`<h2>${heading}</h2>
<ul>
${shown}</ul>
${rest}`
}

/** A UUID of version 8, which always is the same for the same text. It outlives a change of the public URL. */
function formatUuid(text: string): string {
  const bytes = sha256(text).subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  const groups = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)]
  return `urn:uuid:${groups.join('-')}-${hex.slice(20)}`
}
