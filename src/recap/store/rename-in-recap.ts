import type { RecapContent, RecapStatement } from '../recap.ts'
import type { RecapItemSource } from './recap-item.ts'
import type { NamesOfItem, RenamedItem } from './recap-row.ts'

/** A speaker has a new name, and nobody has the old one any longer. Names are spelled as in recaps. */
export type RecapRename = {
  from: string
  /** Empty for an unknown speaker. */
  to: string
  /** Everyone in the meeting, so that part of another name is not mistaken for the old name. */
  names: readonly string[]
  /** The current names of the speakers of the segments that the recap cites. */
  speakerOf: ReadonlyMap<number, string>
}

export type CitingItem = NamesOfItem & {
  segmentNumbers: readonly number[]
  source: RecapItemSource
  /** True for a statement, false for an action item. */
  isStatement: boolean
}

/** The new name of a person in a recap. The segments that the entry cites tell who is meant. */
function findNewName(
  name: string | null,
  segmentNumbers: readonly number[],
  { from, to, speakerOf }: RecapRename,
): string | null {
  if ((name ?? '') !== from) return name
  const isUnknown = from === '' && !segmentNumbers.some((number) => speakerOf.get(number) === to)
  const newName = isUnknown ? from : to
  return newName === '' ? null : newName
}

/** Sentences that rules found are quotations, so they stay as they were said. */
export function renameInContent(
  content: RecapContent,
  rename: RecapRename,
  isWrittenByModel: boolean,
): RecapContent {
  const replaceText = (text: string) => (isWrittenByModel ? replaceNameInText(text, rename) : text)
  const renameStatement = (statement: RecapStatement): RecapStatement => ({
    ...statement,
    text: replaceText(statement.text),
    speaker: findNewName(statement.speaker, statement.segmentNumbers, rename),
  })
  return {
    ...content,
    ...(content.title != null && { title: replaceText(content.title) }),
    summary: content.summary.map((sentence) => ({ ...sentence, text: replaceText(sentence.text) })),
    decisions: content.decisions.map((decision) => ({
      ...renameStatement(decision),
      ...(decision.reason != null && { reason: replaceText(decision.reason) }),
    })),
    openQuestions: content.openQuestions.map(renameStatement),
  }
}

/** A text that a person wrote follows, and a quotation that rules found stays. */
export function renameInItem(item: CitingItem, rename: RecapRename): NamesOfItem {
  const replaceText = (text: string) =>
    item.source === 'rules' && text === item.found_text ? text : replaceNameInText(text, rename)
  // A missing speaker is the unknown one, but a missing owner is nobody.
  const renameOwner = (owner: string | null) =>
    owner === null && !item.isStatement ? null : findNewName(owner, item.segmentNumbers, rename)
  return {
    text: replaceText(item.text),
    found_text: replaceText(item.found_text),
    owner: renameOwner(item.owner),
    found_owner: renameOwner(item.found_owner),
  }
}

/** Restores every field that is still as the rename left it. Takes the other fields from `otherwise`. */
export function restoreItem(
  current: NamesOfItem,
  { before, after }: Pick<RenamedItem, 'before' | 'after'>,
  otherwise: NamesOfItem,
): NamesOfItem {
  const restore = <Field extends keyof NamesOfItem>(field: Field): NamesOfItem[Field] =>
    current[field] === after[field] ? before[field] : otherwise[field]
  return {
    text: restore('text'),
    found_text: restore('found_text'),
    owner: restore('owner'),
    found_owner: restore('found_owner'),
  }
}

/** Replaces a name where it is a whole word, unless it is part of the new name or of another name in the meeting. */
export function replaceNameInText(
  text: string,
  { from, to, names = [] }: { from: string; to: string; names?: readonly string[] },
): string {
  if (from === '' || to === '') return text
  const longer = [to, ...names].filter((name) => name !== from && name.includes(from))
  // The longest name is tried first, so that all of it is skipped.
  const alternatives = [...longer.toSorted((a, b) => b.length - a.length), from]
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${alternatives.map((name) => RegExp.escape(name)).join('|')})(?![\\p{L}\\p{N}])`,
    'gu',
  )
  return text.replace(pattern, (name) => (name === from ? to : name))
}
