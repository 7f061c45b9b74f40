import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { UserViewer } from '../../../access/viewer.ts'
import { createCheckPlaces } from './check-places.ts'

test('one person takes only some of the places, and they are free again afterwards', async () => {
  const withPlace = createCheckPlaces()
  const viewerOf = (userId: string): UserViewer => ({
    kind: 'user',
    userId,
    role: 'member',
    projects: null,
  })
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const waiting = Array.from({ length: 4 }, () => withPlace(viewerOf('usr_a'), () => held))
  await assert.rejects(
    withPlace(viewerOf('usr_a'), async () => {}),
    { code: 'too_many_requests' },
  )
  assert.equal(await withPlace(viewerOf('usr_b'), async () => 'checked'), 'checked')
  release()
  await Promise.all(waiting)
  assert.equal(await withPlace(viewerOf('usr_a'), async () => 'checked'), 'checked')
})
