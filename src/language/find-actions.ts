import { type CalendarDay, findDueDate } from './due-date.ts'
import type { ActionForm, LanguageRules, TaskOwner } from './rules/language-rules.ts'
import type { NameMention } from './people.ts'
import type { SpokenSentence } from './sentences.ts'
import { listContentWords } from './words.ts'

export type ActionContext = {
  rules: LanguageRules
  today: CalendarDay
  stopWords: ReadonlySet<string>
  isNameWord: (foldedWord: string) => boolean
}

/** What a speaker says in one turn. */
export type SpokenTurn = { speaker: string; sentences: readonly SpokenSentence[] }

type FormMatch = { form: ActionForm; start: number; end: number; who: NameMention | null }

/** How many matches are checked per form and sentence, to limit the cost. */
const MAX_MATCHES = 8
/** If a match comes later than this, the words before it are left out of the text. */
const MAX_CHARS_BEFORE = 40
const MAX_VOLUNTEERING_CHARS = 100
const TAG_QUESTION =
  /[,.] (?:right|ok|okay|oder|ja|nicht wahr|d'accord|non|vale|no|ta|ne|certo) ?\?$/
/** Words that join the clauses of a sentence. */
const JOINING_START =
  /^(?:[\s,;–-]|(?:and|so|then|okay|ok|yes|yeah|no|well|great|sure|und|also|gut|ja|et|donc|alors|oui|bon|y|entonces|si|vale|e|entao|sim)\b[ ,]?)+/i
const JOINING_END = /(?:[\s,;–-]|\b(?:and|und|et|y|e))+$/i

/** An action item in one sentence. */
export type FoundAction = {
  text: string
  owner: string | null
  ownerKind: TaskOwner
  dueText: string | null
  dueDate: string | null
  /** Stems of the content words, without names. */
  stems: ReadonlySet<string>
  /** Numbers outside the due date: "ticket 12" and "ticket 15" are two tasks. */
  numbers: ReadonlySet<string>
}

/** Finds the tasks that a sentence promises, asks for or assigns, in the order of the sentence. */
export function findActionsInSentence(
  sentence: SpokenSentence,
  turn: SpokenTurn,
  context: ActionContext,
): FoundAction[] {
  const matches = listMatches(sentence, context)
  const found = matches.flatMap((match, index) => {
    const next = matches[index + 1]
    const action = toAction(sentence, turn, match, index === 0, next?.start ?? null, context)
    return action === null ? [] : [action]
  })
  return found.length === 0 ? findVolunteering(sentence, turn, context) : found
}

/** "I'll do that tomorrow": what is promised was said before. */
function findVolunteering(
  { text, folded }: SpokenSentence,
  { speaker }: SpokenTurn,
  { rules, today }: ActionContext,
): FoundAction[] {
  if (speaker === '' || !isVolunteering(folded, rules, today)) return []
  const due = findDueDate(folded, rules.dates, today)
  return [
    {
      text,
      owner: speaker,
      ownerKind: 'speaker',
      dueText: due === null ? null : text.slice(due.start, due.end).trim(),
      dueDate: due?.date ?? null,
      stems: new Set(),
      numbers: new Set(),
    },
  ]
}

function isVolunteering(folded: string, rules: LanguageRules, today: CalendarDay): boolean {
  if (folded.length > MAX_VOLUNTEERING_CHARS) return false
  const due = findDueDate(folded, rules.dates, today)
  const undated = due === null ? folded : `${folded.slice(0, due.start)} ${folded.slice(due.end)}`
  const words = undated.replaceAll(/\s+/g, ' ').replace(/ (?=[,.!?])/, '')
  return rules.volunteering.test(words.trim())
}

function listMatches(sentence: SpokenSentence, { rules }: ActionContext): FormMatch[] {
  const { masked, folded } = sentence
  const isRealQuestion = sentence.isQuestion && !TAG_QUESTION.test(folded)
  const found = rules.actionForms.flatMap((form) =>
    // Most sentences have no match, and `search` is much cheaper than `matchAll`, which copies the pattern.
    (isRealQuestion && form.canBeQuestion !== true) || masked.search(form.pattern) === -1
      ? []
      : [...masked.matchAll(form.pattern).take(MAX_MATCHES)]
          .map((match) => toFormMatch(form, match, sentence.mentions))
          .filter(
            ({ start, end }) =>
              (form.isTask?.(folded.slice(end, end + 300), folded.slice(start, end)) ?? true) &&
              !rules.isRuledOut(masked.slice(0, start), masked.slice(start)),
          ),
  )
  // The sort is stable: among matches at the same place, the first form in the table wins.
  const sorted = found.toSorted((a, b) => a.start - b.start)
  const kept: FormMatch[] = []
  for (const match of sorted) {
    const last = kept.at(-1)
    if (last === undefined || match.start >= last.end) kept.push(match)
  }
  return kept
}

function toFormMatch(
  form: ActionForm,
  match: RegExpMatchArray,
  mentions: readonly NameMention[],
): FormMatch {
  const { 0: whole, index: start = 0, indices } = match
  const [nameStart] = indices?.groups?.['who'] ?? []
  const who = mentions.find((mention) => mention.start === nameStart) ?? null
  return { form, start, end: start + whole.length, who }
}

function toAction(
  sentence: SpokenSentence,
  turn: SpokenTurn,
  match: FormMatch,
  isFirst: boolean,
  nextStart: number | null,
  { rules, today, stopWords, isNameWord }: ActionContext,
): FoundAction | null {
  const { text, folded } = sentence
  const { form } = match
  if (isBrokenOff(text, match.end)) return null
  const start = isFirst && match.start <= MAX_CHARS_BEFORE ? 0 : match.start
  const end = nextStart ?? text.length
  const clause = text.slice(start, end).replace(JOINING_START, '').replace(JOINING_END, '')
  const after = findDueDate(folded.slice(match.start, end), rules.dates, today)
  const before =
    after === null && isFirst ? findDueDate(folded.slice(0, match.start), rules.dates, today) : null
  const due = after ?? before
  if (form.needsDueDate === true && due === null) return null
  const offset = after === null ? 0 : match.start
  const dueStart = Math.max(start, offset + (due?.start ?? 0))
  const dueEnd = Math.max(start, offset + (due?.end ?? 0))
  // The words of the due date are left out, because two tasks that are due on the same day can be different.
  const undated =
    due === null ? clause : `${text.slice(start, dueStart)} ${text.slice(dueEnd, end)}`
  const words = isVolunteering(folded, rules, today)
    ? []
    : listContentWords(undated, stopWords, isNameWord)
  return {
    text: clause,
    owner: findOwner(match, sentence, turn),
    ownerKind: form.owner,
    dueText: due === null ? null : text.slice(offset + due.start, offset + due.end).trim(),
    dueDate: due?.date ?? null,
    stems: new Set(words.map(({ stem }) => stem)),
    numbers: new Set(undated.match(/\p{N}+/gu)),
  }
}

/** "We'll move the": the speaker was interrupted before naming the task. */
function isBrokenOff(text: string, end: number): boolean {
  if (/[.!?…]["'”»)]*$/u.test(text)) return false
  return /[.…-]{2,}$/u.test(text) ||
    /\b(?:the|a|an|to|my|our|der|die|das|den|le|la|les|el|o|os|as)$/i.test(text)
    ? text.slice(end).split(' ').length < 4
    : false
}

function findOwner({ form, who, start }: FormMatch, sentence: SpokenSentence, turn: SpokenTurn) {
  switch (form.owner) {
    case 'speaker':
      return turn.speaker === '' ? null : turn.speaker
    case 'named':
      return who?.person ?? null
    case 'addressed':
      return findAddressedPerson(sentence, start) ?? findAddressedBefore(sentence, turn)
    case 'nobody':
      return null
  }
}

/** The person whom a sentence addresses by name: "Ben, can you …" or "Can you …, Ben?" */
function findAddressedPerson({ masked, mentions }: SpokenSentence, start: number): string | null {
  const addressed = mentions.filter((mention) => {
    const before = masked.slice(0, mention.start).trimEnd()
    const next = masked.charAt(mention.end)
    const isSetOff =
      before === '' || /[,:;]$/.test(before) || /^(?:[^\s]+ ){0,2}$/.test(`${before} `)
    return isSetOff && (next === '' || /[,?!.:;]/.test(next))
  })
  const nearest = addressed.findLast((mention) => mention.start <= start) ?? addressed[0]
  return nearest?.person ?? null
}

/** "Thanks, Ben. Can you also …": the person whom the previous sentence addresses. */
function findAddressedBefore(sentence: SpokenSentence, { sentences }: SpokenTurn): string | null {
  const before = sentences[sentences.indexOf(sentence) - 1]
  return before === undefined ? null : findAddressedPerson(before, before.text.length)
}
