import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { HttpClient } from '../support/http/http-client.ts'
import { MASTER_KEY } from '../support/service/start-nodes.ts'
import { startService } from '../support/service/start-service.ts'
import { openRecapService, type ApiRecap } from './recap-client.ts'

test('changes on two nodes at once, while the recap is made again, are all kept', async () => {
  const shared = { HANSARD_MASTER_KEY: MASTER_KEY }
  await using opened = await openRecapService(shared)
  await using two = await startService({
    ...shared,
    HANSARD_DATA: opened.service.dataFolder,
    DATABASE_URL: opened.service.databaseUrl,
    HANSARD_RECAP: 'on',
  })
  const id = await opened.seedEndedMeeting([
    ['Ada', 'We decided to ship the new search page on Friday.'],
    ['Ben', 'I will fix the search page by Wednesday.'],
    ['Ben', 'We agreed to pay the printing company in advance.'],
  ])
  const before = await opened.makeRecap(id)
  const [ship, pay] = before.decisions
  const [action] = before.actions
  assert.ok(ship && pay && action)
  const nodes = [opened.service.port, two.port].map(
    (port) => new HttpClient(`http://127.0.0.1:${port}`),
  )
  const call = (node: number, method: string, path: string, body?: object) =>
    nodes[node % 2]?.request(
      method,
      `/api/v1/meetings/${id}/recap${path}`,
      body,
      opened.program.key,
    )
  const added = Array.from({ length: 20 }, (_, i) => `Colour ${i} it is`)
  const answers = await Promise.all([
    ...added.map((text, i) => {
      const kind = i % 4 < 2 ? 'decision' : 'action'
      return call(i, 'POST', '/items', { kind, text, segmentNumbers: [2] })
    }),
    call(0, 'PATCH', `/items/${ship.id}`, { text: 'Ship it' }),
    call(1, 'PATCH', `/items/${ship.id}`, { speaker: 'Zoë' }),
    call(0, 'POST', ''),
    call(1, 'POST', ''),
    call(0, 'DELETE', `/items/${pay.id}`),
    call(1, 'DELETE', `/items/${pay.id}`),
    call(1, 'DELETE', `/items/${action.actionId}`),
  ])
  const statuses = answers.map((answer) => answer?.status)
  assert.deepEqual(statuses.slice(0, 24), [...added.map(() => 201), 200, 200, 202, 202])
  // One of the two nodes finds the statement deleted.
  assert.deepEqual(new Set(statuses.slice(24, 26)), new Set([204, 404]))
  assert.equal(statuses[26], 204)
  const check = ({ decisions, actions }: ApiRecap) => {
    const texts = [...decisions, ...actions].map(({ text }) => text)
    assert.deepEqual(texts.toSorted(), [...added, 'Ship it'].toSorted())
    assert.equal(decisions.find(({ id: itemId }) => itemId === ship.id)?.speaker, 'Zoë')
  }
  check(await opened.makeRecap(id))
  check(await opened.makeRecap(id))
})
