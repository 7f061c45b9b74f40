import { PAGE_CONDITIONS, PAGE_STATE_NAMES, type PageModel } from '../page-model/page-states.ts'
import type { PageMatcher } from '../page-model/state-rules.ts'

/** The part of a page model that our script in the page needs, as plain JSON values. */
export function watchConfigFor(pageModel: PageModel, paceMs: number) {
  const { parts, userTextParts, expectedInCall, states, conditions } = pageModel
  const rules = [
    ...PAGE_STATE_NAMES.flatMap((state) => states[state] ?? []),
    ...PAGE_CONDITIONS.flatMap((condition) => conditions[condition]),
  ]
  const named = rules.flatMap(({ all, none = [] }) => [...all, ...none].flatMap(partsNamedBy))
  const looked = [
    ...new Set([...named, ...expectedInCall, 'captionsRegion', 'bubbleDismiss']),
  ].filter((name) => Object.hasOwn(parts, name))
  return {
    parts,
    spoken: userTextParts,
    checked: expectedInCall,
    looked,
    headCount: 'headCount',
    paceMs,
  }
}

function partsNamedBy(mark: PageMatcher): string[] {
  if (mark.by === 'part') return [mark.part]
  return mark.by === 'words' && mark.in !== undefined ? [mark.in] : []
}
