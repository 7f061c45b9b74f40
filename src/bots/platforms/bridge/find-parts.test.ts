import { strict as assert } from 'node:assert'
import { test } from 'node:test'

type Finder = {
  find(name: string): { strategyIndex: number | null; elements: unknown[] }
  withCache<T>(read: () => T): T
}
const { createPartFinder } = (await import(
  new URL('injected/find-parts.js', import.meta.url).href
)) as { createPartFinder(parts: object, report: () => void): Finder }

function createButton(label: string) {
  return { getAttribute: () => label, checkVisibility: () => true }
}

test('parts with the same selector search the document once while the finder has a cache', () => {
  const page = { buttons: [createButton('Leave')], searches: 0 }
  Object.assign(globalThis, {
    document: { querySelectorAll: () => ((page.searches += 1), page.buttons) },
  })
  const named = (name: string) => ({
    strategies: ['Never shown', name].map((text) => ({ by: 'role', role: 'button', name: text })),
  })
  const finder = createPartFinder({ leave: named('Leave'), join: named('Join') }, () => undefined)
  const found = () => ['leave', 'join', 'leave'].map((name) => finder.find(name).strategyIndex)

  assert.deepEqual(found(), [1, null, 1])
  assert.equal(page.searches, 6)
  assert.deepEqual(finder.withCache(found), [1, null, 1])
  assert.equal(page.searches, 7)
  page.buttons = [createButton('Join')]
  assert.deepEqual(finder.withCache(found), [null, 1, null])
  assert.equal(page.searches, 8)
})
