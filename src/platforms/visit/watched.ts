import { CONDITIONS, STATE_NAMES, type PageTable } from '../page/decide.ts'
import type { Mark } from '../page/marks.ts'

/** What our script in the page needs of a table: plain values. */
export function watchedIn(table: PageTable, paceMs: number) {
  const { parts, spoken, checked, states, conditions } = table
  const rules = [
    ...STATE_NAMES.flatMap((state) => states[state] ?? []),
    ...CONDITIONS.flatMap((condition) => conditions[condition]),
  ]
  const named = rules.flatMap(({ all, none = [] }) => [...all, ...none].flatMap(partOf))
  const looked = [...new Set([...named, ...checked, 'captionsRegion'])]
  return { parts, spoken, checked, looked, headCount: 'headCount', paceMs }
}

function partOf(mark: Mark): string[] {
  if (mark.by === 'part') return [mark.part]
  return mark.by === 'words' && mark.in !== undefined ? [mark.in] : []
}
