import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { GOOGLE_MEET_PAGE_MODEL } from '../../platforms/google-meet/page-model.ts'
import { createPageStateTracker } from '../../platforms/page-session/page-state.ts'
import { createVisitInspector } from './visit-inspector.ts'

test('an inspector does not wait for a page that never answers', async () => {
  const inspector = createVisitInspector(() => 0)
  const bridge = {
    request: () => new Promise<never>(() => undefined),
    setPollInterval: () => Promise.resolve(),
    setHearing: () => Promise.resolve(),
  }
  const pageState = createPageStateTracker(GOOGLE_MEET_PAGE_MODEL)
  inspector.inspectPage({ kind: 'unchanged' }, pageState, bridge)
  await inspector.settle(1)
  assert.equal(inspector.inspection.pages.size, 0)
})
