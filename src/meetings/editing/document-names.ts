import { findFrontMatter, formatFrontMatter } from '../../projects/front-matter.ts'
import type { Meeting } from '../meeting.ts'
import { findEndOfTitle, findRecapSection } from '../record/document-section.ts'
import { formatTranscriptDocument } from '../record/transcript-document.ts'
import {
  formatMarkdownChat,
  formatMarkdownEntry,
  formatMarkdownTitle,
} from '../transcript/markdown-format.ts'
import { unescapeInlineMarkdown } from '../transcript/markdown-text.ts'
import { insertGapsBetweenSegments } from '../transcript/reading-order.ts'
import type {
  TranscriptChatMessage,
  TranscriptContent,
  TranscriptEntry,
} from '../transcript/source.ts'

/** A transcript with the names of one time. */
export type NamedTranscript = {
  meeting: Meeting
  content: TranscriptContent
  chat: readonly TranscriptChatMessage[]
}

/**
 * Replaces the names in a document of an ended meeting. A document as the service wrote it is written again. In a document
 * that a person changed, only what still has the names is replaced: front matter, title, and the starts of turns.
 */
export function replaceNames(text: string, before: NamedTranscript, now: NamedTranscript): string {
  const section = findRecapSection(text)
  const plain =
    section === null ? text : `${text.slice(0, section.start)}${text.slice(section.end)}`
  const expected = formatDocument(now)
  if (plain === expected) return text
  if (plain !== formatDocument(before)) return replaceInLines(text, before, now)
  const titleEnd = findEndOfTitle(expected) ?? 0
  const kept = section === null ? '' : text.slice(section.start, section.end)
  return `${expected.slice(0, titleEnd)}${kept}${expected.slice(titleEnd)}`
}

function formatDocument({ meeting, content, chat }: NamedTranscript): string {
  return [...formatTranscriptDocument(meeting, content, chat)].join('')
}

function replaceInLines(text: string, before: NamedTranscript, now: NamedTranscript): string {
  const { bodyStart = 0 } = findFrontMatter(text) ?? {}
  const header = replaceFrontMatter(text.slice(0, bodyStart), before, now)
  const title = unescapeInlineMarkdown(formatMarkdownTitle(before.content.title))
  const newTitle = formatMarkdownTitle(now.content.title)
  const body = text.slice(bodyStart)
  const titleStart = /^\n?/.exec(body)?.[0].length ?? 0
  const titleEnd = body.indexOf('\n', titleStart) + 1
  // Earlier versions escaped more characters.
  const hasTitle = unescapeInlineMarkdown(body.slice(titleStart, titleEnd)) === title
  const renamed = hasTitle ? `${body.slice(0, titleStart)}${newTitle}${body.slice(titleEnd)}` : body
  return `${header}${replaceTurnStarts(renamed, before, now)}`
}

function replaceFrontMatter(header: string, before: NamedTranscript, now: NamedTranscript): string {
  const fieldsOf = ({ meeting, content: { title, participants } }: NamedTranscript) => [
    formatField({ title }),
    formatField({ participants }),
    formatField({ date: meeting.startedAt.toISOString() }),
    formatField({ startedAt: meeting.startedAt.toISOString() }),
    formatField({ endedAt: meeting.endedAt?.toISOString() ?? '' }),
  ]
  const newFields = fieldsOf(now)
  return fieldsOf(before).reduce(
    (text, field, i) => text.replace(`\n${field}`, () => `\n${newFields[i]}`),
    header,
  )
}

/** A field of the front matter with its line break. */
function formatField(fields: Record<string, string | string[]>): string {
  return formatFrontMatter(fields).slice('---\n'.length, -'---\n'.length)
}

/** The start of a turn or of a chat message: `**Ada** 00:01:23`. */
const NAMED_START = /^(?:- )?\*\*(?:[^*\\]|\\.|(?<= )\*(?= ))+\*\* \d{2,}:\d{2}:\d{2}(?= |\r?$)/gmu

function replaceTurnStarts(body: string, before: NamedTranscript, now: NamedTranscript): string {
  const newStarts = listNamedStarts(now)
  const replacements = new Map<string, string[]>()
  listNamedStarts(before).forEach((start, i) => {
    if (start === null) return
    const key = unescapeInlineMarkdown(start)
    const found = replacements.get(key) ?? []
    replacements.set(key, [...found, newStarts[i] ?? start])
  })
  return body.replace(NAMED_START, (start) => {
    const found = replacements.get(unescapeInlineMarkdown(start))
    // Several turns of one second have the same start, so each takes the next name.
    return (found !== undefined && found.length > 1 ? found.shift() : found?.[0]) ?? start
  })
}

/** For every line of the transcript how it starts if it begins a turn, then the same for every chat message. */
function listNamedStarts({ content, chat }: NamedTranscript): Array<string | null> {
  const entries: TranscriptEntry[] = [...insertGapsBetweenSegments(content)]
  const turns = entries.map((entry) => formatMarkdownEntry(entry, null, content.startedAt))
  const [, ...messages] = formatMarkdownChat(chat, content.startedAt)
  return [...turns.map((turn) => turn.slice(1)), ...messages].map(
    (line) => new RegExp(NAMED_START.source, 'u').exec(line)?.[0] ?? null,
  )
}
