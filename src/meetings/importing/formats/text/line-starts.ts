import type { FoundTranscript, LocalStart } from '../found-transcript.ts'
import type { TextLine } from '../text-lines.ts'

/** A text of the form `Name: text`. */
export type PrefixedText = { speaker: string; text: string }

/** Names are stored up to this length, so a longer prefix is not a name. */
const MAX_PREFIX_CHARS = 200
const MAX_NAME_CHARS = 80
const MAX_NAME_WORDS = 6
/** What occurs in sentences and headings, but not in names. */
const SENTENCE_SYNTAX = /[?!;"“”„«»]|\.\s|:\/\/|^#/u

/** Labels of facts about a meeting, and of its parts, that could be mistaken for names. */
const LABELS = new Set(
  [
    'title, meeting title, meeting name, meeting, subject, topic, agenda, chapter, break, note, notes, summary, recap',
    'date, meeting date, time, date and time, start, start time, started, end, end time, duration, length, recorded',
    'location, place, room, link, url, source, file, language, meeting id, recording, created, transcript',
    'participants, meeting participants, attendees, present, absent, apologies, invitees, action items, next steps',
    'action, actions, decision, decisions, risk, risks, blocker, blockers, todo',
    'titel, datum, uhrzeit, ort, dauer, thema, betreff, teilnehmer, teilnehmende, pause, notiz, protokoll',
  ].flatMap((line) => line.split(', ')),
)

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MAX_HEAD_CHARS = 1_000

type Head = Pick<FoundTranscript, 'title' | 'startedAt' | 'participants'>

/** A speaker usually speaks more than once. More names than this are headings if none is repeated. */
const MAX_UNREPEATED_NAMES = 3
const SENTENCE_END = /[.?!…。？！]["'”’»)]*$/u

/** A turn that may begin with a speaker's name. `block` is the number of its paragraph in the file. */
export type PossibleTurn = { speaker: string; text: string; block: number }

const CLOCK = String.raw`(?:\d{1,3}:)?\d{1,3}:\d{2}(?:[.,]\d{1,3})?`
/** `**Ada:** text`, on a separate line or in a list. */
const EMPHASIS = /^(?:[-*•] +|#{1,6} +)?(\*\*|__|\*|_)(\S[^*_]{0,200}?)\1(?!\w)(.*)$/su
/** At most a few spaces between a name and its time, because more would take long to compare. */
const SPACES = String.raw`\s{0,9}`
/** The time after a name, and the text after the time. */
const TIME = new RegExp(
  `^${SPACES}[-–—|,]?${SPACES}[[(]?(${CLOCK})[\\])]?(?=[\\s:]|$)${SPACES}:?\\s*(.*)$`,
  'su',
)
/** A time in front of the rest of a line. */
const LEADING_TIME = new RegExp(
  `^([[(]?${CLOCK}[\\])]?${SPACES}[-–—:]?${SPACES})(?=[*_])(.*)$`,
  'su',
)

/** A heading that is only a name. In other headings, a colon does not follow a name. */
const NAME_HEADING = /^#{1,6} +(?=[^:]{1,200}:$)/u

/** Markdown escapes `\[laughter\]`, so that it does not become a link. */
const ESCAPED = /\\(?=[[\]*_])/g

/** Splits `Name: text` at the first colon before a space or the end. Null if there is none. */
export function splitSpeakerPrefix(text: string): PrefixedText | null {
  const trimmed = text.trimStart()
  const at = trimmed.slice(0, MAX_PREFIX_CHARS + 2).search(/:(?:\s|$)/u)
  // The slice can end with a colon that is followed by another character.
  if (at < 1 || at > MAX_PREFIX_CHARS) return null
  return { speaker: trimmed.slice(0, at).trimEnd(), text: trimmed.slice(at + 1).trimStart() }
}

/** True if the part before a colon looks like a name, and not like a label or the start of a sentence. */
export function looksLikeName(name: string): boolean {
  if (name.length > MAX_NAME_CHARS || !/\p{L}/u.test(name) || isLabel(name)) return false
  if (name.trim().split(/\s+/u).length > MAX_NAME_WORDS) return false
  // “Dr. Ada Lovelace” has a full stop after a short word. Sentences do not.
  return !SENTENCE_SYNTAX.test(name.replaceAll(/(?<=^|\s)\p{L}{1,4}\.(?=\s)/gu, ''))
}

/** Removes the dash of a list, or the captions' mark of a new speaker, from the start of a line with a name. */
export function removeDash(text: string): string {
  const [, rest] = /^(?:[-–—•]|>>)\s+(\S[^]*)$/u.exec(text) ?? []
  const name = rest === undefined ? undefined : splitSpeakerPrefix(rest)?.speaker
  return rest !== undefined && name !== undefined && looksLikeName(name) ? rest : text
}

export type PrefixReader = {
  read(text: string): PrefixedText
  /** True if the file names a speaker only when another one starts to speak. */
  isOnlyAtChanges: boolean
}

/** A name in front of this many texts is not a coincidence, even if most texts have no name. */
const MIN_REPEATS = 2

/**
 * Decides how the texts of a file name their speakers. Null if they do not: most have no name in front of them, and no
 * two names repeat. If all texts have one, long names are accepted too.
 */
export function createPrefixReader(texts: readonly string[]): PrefixReader | null {
  const prefixes = texts.map(splitSpeakerPrefix)
  const areAllPrefixed = prefixes.length > 0 && prefixes.every((prefix) => prefix !== null)
  const counts = new Map<string, number>()
  let named = 0
  for (const prefix of prefixes) {
    if (prefix === null || !looksLikeName(prefix.speaker)) continue
    counts.set(prefix.speaker, (counts.get(prefix.speaker) ?? 0) + 1)
    named += 1
  }
  const isRepeated = (name: string) => (counts.get(name) ?? 0) >= MIN_REPEATS
  const isOnlyAtChanges = named * 2 <= texts.length
  if (isOnlyAtChanges && [...counts.keys()].filter(isRepeated).length < 2) return null
  const isSpeaker = isOnlyAtChanges
    ? isRepeated
    : (name: string) => areAllPrefixed || looksLikeName(name)
  return {
    isOnlyAtChanges,
    read(text) {
      const prefix = splitSpeakerPrefix(text)
      return prefix !== null && isSpeaker(prefix.speaker) ? prefix : { speaker: '', text }
    },
  }
}

function isLabel(text: string): boolean {
  return LABELS.has(
    text
      .replaceAll(/[*_#:]/g, '')
      .trim()
      .toLowerCase(),
  )
}

/** True if a line has only a label and perhaps a time, such as `Break: [13:19]`. */
export function isBareLabel(text: string): boolean {
  return text.length <= MAX_NAME_CHARS && isLabel(text.replace(/[\s\d:.,[\]()]+$/, ''))
}

/** Reads labelled facts such as `Meeting title: Weekly` from the first lines. Lines that are not read stay text. */
export function readLabelledHead(lines: readonly TextLine[]): { head: Head; body: TextLine[] } {
  const head: Head = { title: null, startedAt: null, participants: [] }
  const end = lines.findIndex(({ text }) => text !== '' && !isLabel(text.split(':', 1)[0] ?? ''))
  if (end === -1) return { head, body: [...lines] }
  const unread = lines.slice(0, end).filter(({ text }) => !readFact(text, head))
  return { head, body: [...unread, ...lines.slice(end)] }
}

/** Adds the fact in a line to the head. Returns false if the line has none. */
function readFact(line: string, head: Head): boolean {
  const [, label = '', value = ''] =
    line.length > MAX_HEAD_CHARS ? [] : (/^([^:]{1,40}):\**\s*(.*)$/u.exec(line) ?? [])
  const name = label.replaceAll(/[*_#]/g, '').trim().toLowerCase()
  if (/^(?:(?:meeting )?(?:title|name)|titel)$/.test(name)) head.title = value || null
  else if (/^(?:(?:meeting )?participants|attendees|teilnehmer)$/.test(name))
    head.participants = value.split(/[,;]\s*/).filter(Boolean)
  else if (/^(?:(?:meeting )?date|datum)$/.test(name)) return setDate(head, value)
  else return name === 'transcript' && value === ''
  return true
}

function setDate(head: Head, value: string): boolean {
  const startedAt = readDate(value)
  head.startedAt = startedAt ?? head.startedAt
  return startedAt !== null
}

/** Reads a date such as `Nov 15, 2026`, `15 November 2026` or `2026-11-15`. */
export function readDate(text: string): LocalStart | null {
  const [, iso, time = null] = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?$/.exec(text) ?? []
  if (iso !== undefined) return { date: iso, time }
  const [, first = '', second = '', year = ''] =
    /^(?:[A-Z][a-z]+day,? )?(\w{1,9})[.,]? (\w{1,9})[.,]? (\d{4})$/.exec(text) ?? []
  const [month, day] = /^\d/.test(first) ? [second, first] : [first, second]
  const index = MONTHS.indexOf(month.slice(0, 3).toLowerCase())
  const number = /^\d{1,2}/.exec(day)?.[0] ?? ''
  if (index === -1 || Number(number) < 1 || Number(number) > 31) return null
  const date = `${year}-${String(index + 1).padStart(2, '0')}-${number.padStart(2, '0')}`
  return { date, time: null }
}

/** True if the texts above the parts of a file are headings: there are many, and none is repeated. */
export function areHeadings(names: readonly string[]): boolean {
  return names.length > MAX_UNREPEATED_NAMES && new Set(names).size === names.length
}

/**
 * Decides which names in front of texts behave like speakers. If few lines have a name, two people must take turns. A
 * name that occurs once above the conversation and has no sentence after it is a fact, such as `Project: Apollo`.
 */
export function findSpeakers(
  turns: readonly PossibleTurn[],
  areMostNamed: boolean,
): ReadonlySet<string> {
  const names = turns.map(({ speaker }) => speaker)
  const repeated = findRepeated(names)
  if (!areMostNamed) return areTakingTurns(names, repeated) ? repeated : new Set()
  const first = Math.max(
    0,
    turns.findIndex(({ speaker }) => repeated.has(speaker)),
  )
  const conversation = turns.slice(first)
  const sentences = conversation.filter(isSentence).length
  const areMostSentences = sentences * 2 >= conversation.length
  if (areHeadings(names) && !areMostSentences) return new Set()
  const facts =
    repeated.size > 1 && areMostSentences
      ? turns
          .slice(0, first)
          .filter((turn) => !isSentence(turn) && turn.block !== turns[first]?.block)
      : []
  return new Set(names).difference(new Set(facts.map(({ speaker }) => speaker)))
}

function isSentence({ text }: PossibleTurn): boolean {
  return SENTENCE_END.test(text)
}

function findRepeated(names: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const name of names) {
    if (seen.has(name)) repeated.add(name)
    seen.add(name)
  }
  return repeated
}

/** True if someone speaks again after another person. */
function areTakingTurns(names: readonly string[], repeated: ReadonlySet<string>): boolean {
  const turns = names.filter((name, i, all) => repeated.has(name) && name !== all[i - 1])
  return turns.length > new Set(turns).size && new Set(turns).size > 1
}

/** Converts the start of a markdown turn to plain text: `Ada: text` or `Ada (0:15): text`. Keeps other lines. */
export function toPlainTurn(given: string): string {
  const line = given.replaceAll(ESCAPED, '')
  const [, time, text] = LEADING_TIME.exec(line) ?? []
  return time === undefined || text === undefined ? plainStart(line) : `${time}${plainStart(text)}`
}

function plainStart(line: string): string {
  const [, , inside, rest] = EMPHASIS.exec(line) ?? []
  if (inside === undefined || rest === undefined) return removeDash(line.replace(NAME_HEADING, ''))
  if (/:\s*$/u.test(inside)) return `${inside.trimEnd()} ${rest.trimStart()}`
  if (/^\s*:/u.test(rest)) return `${inside}${rest.trimStart()}`
  const [, clock, said] = TIME.exec(rest) ?? []
  return clock !== undefined && looksLikeName(inside) ? `${inside} (${clock}): ${said}` : line
}

/** Removes the marks of a heading and of bold text. */
export function removeHeadingMarks(line: string): string {
  return line
    .trim()
    .replace(/^#{1,6} +/, '')
    .replaceAll('**', '')
}
