import type { RecapAction } from '../recap.ts'
import type { ActionItem } from './action-item.ts'
import { scoreSameTask } from './same-task.ts'

/** A stored item with its text and owner as they were found, before a person changed them. */
export type StoredActionItem = ActionItem & { foundText: string; foundOwner: string | null }

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
  const pairs = stored.flatMap((item) =>
    found.map((action, index) => ({ item, index, score: scoreSameTask(item, action) })),
  )
  const itemOf = new Map<number, StoredActionItem>()
  const used = new Set<string>()
  for (const { item, index, score } of pairs.toSorted((a, b) => b.score - a.score)) {
    if (score === 0) break
    if (itemOf.has(index) || used.has(item.id)) continue
    itemOf.set(index, item)
    used.add(item.id)
  }
  return itemOf
}
