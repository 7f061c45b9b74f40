import type { RecapAction } from '../recap.ts'
import type { ActionItem } from './action-item.ts'

/** A stored item with the text as it was found, before a person changed it. */
export type StoredActionItem = ActionItem & { foundText: string }

/** How the stored items of a meeting change with a new recap. */
export type ActionItemMerge = {
  added: NumberedAction[]
  /** Items that nobody has changed and that were found again: they keep their id. */
  updated: Array<NumberedAction & { id: string }>
  /** Items that a person has changed stay as they are, at a new position. */
  moved: Array<{ id: string; number: number }>
  removedIds: string[]
}

export type NumberedAction = { number: number; action: RecapAction }

/** The share of words that two texts about the same task have in common at least. */
const MIN_WORD_OVERLAP = 0.5

/**
 * Compares the actions of a new recap with the stored items. An item that a person has changed, ticked or deleted is
 * never overwritten, and is not added a second time. Other items are replaced.
 */
export function mergeActionItems(
  stored: readonly StoredActionItem[],
  found: readonly RecapAction[],
): ActionItemMerge {
  const itemOf = matchActions(stored, found)
  const merge: ActionItemMerge = { added: [], updated: [], moved: [], removedIds: [] }
  found.forEach((action, index) => {
    const number = index + 1
    const item = itemOf.get(index)
    if (item === undefined) merge.added.push({ number, action })
    else if (item.editedAt === null) merge.updated.push({ id: item.id, number, action })
    else merge.moved.push({ id: item.id, number })
  })
  const matched = new Set([...itemOf.values()].map(({ id }) => id))
  let last = found.length
  for (const { id, editedAt } of stored) {
    if (matched.has(id)) continue
    if (editedAt === null) merge.removedIds.push(id)
    else merge.moved.push({ id, number: (last += 1) })
  }
  return merge
}

/** The stored item of each found action, by its index. The most similar pairs are matched first. */
function matchActions(
  stored: readonly StoredActionItem[],
  found: readonly RecapAction[],
): Map<number, StoredActionItem> {
  const words = found.map(({ text }) => wordsOf(text))
  const pairs = stored.flatMap((item) => {
    const [foundWords, currentWords] = [wordsOf(item.foundText), wordsOf(item.text)]
    return found.flatMap((action, index) => {
      if (!shareSegment(item.segmentNumbers, action.segmentNumbers)) return []
      const ofAction = words[index] ?? new Set()
      const overlap = Math.max(overlapOf(foundWords, ofAction), overlapOf(currentWords, ofAction))
      return overlap >= MIN_WORD_OVERLAP ? [{ item, index, overlap }] : []
    })
  })
  const itemOf = new Map<number, StoredActionItem>()
  const used = new Set<string>()
  for (const { item, index } of pairs.toSorted((a, b) => b.overlap - a.overlap)) {
    if (itemOf.has(index) || used.has(item.id)) continue
    itemOf.set(index, item)
    used.add(item.id)
  }
  return itemOf
}

function shareSegment(a: readonly number[], b: readonly number[]): boolean {
  return a.some((number) => b.includes(number))
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))
}

/** The share of the shorter text that is in the longer one: a model shortens what the rules quote. */
function overlapOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shorter = Math.min(a.size, b.size)
  if (shorter === 0) return a.size === b.size ? 1 : 0
  return [...a].filter((word) => b.has(word)).length / shorter
}
