import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { MAX_ATTENTION_MARKS } from '../../src/accounts/users/marks.ts'
import { assertError } from '../support/http/raw-requests.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { openForFile } from '../support/open-for-file.ts'
import { invitePerson } from '../support/service/invite-person.ts'
import { startService } from '../support/service/start-service.ts'

const opened = openForFile(async () => {
  const service = await startService()
  const ada = await service.adminClient()
  const { client: ben } = await invitePerson(service, ada)
  return { service, ada, ben, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
})

async function listMarks(person: HttpClient): Promise<string[]> {
  const { body } = await person.get('/web/marks')
  return (body['marks'] as Array<{ kind: string; key: string }>).map(
    ({ kind, key }) => `${kind}/${key}`,
  )
}

test('a mark is remembered for the person who set it, and for no one else', async () => {
  const { ada, ben } = opened()
  const { status } = await ada.put('/web/marks/get_started/practice', {})
  assert.equal(status, 200)
  await ada.put('/web/marks/get_started/practice', {})
  await ada.put('/web/marks/get_started/hidden', {})
  await ben.put('/web/marks/attention/calendar:cal_1:2026-11-15T08:30:00.000Z', {})
  assert.deepEqual((await listMarks(ada)).toSorted(), [
    'get_started/hidden',
    'get_started/practice',
  ])
  assert.deepEqual(await listMarks(ben), ['attention/calendar:cal_1:2026-11-15T08:30:00.000Z'])
  await ben.delete('/web/marks/get_started/practice')
  await ada.delete('/web/marks/get_started/hidden')
  assert.deepEqual(await listMarks(ada), ['get_started/practice'])
})

test('only the marks that the console knows can be set, by a signed-in person', async () => {
  const { ada, service } = opened()
  const before = await listMarks(ada)
  for (const path of [
    'get_started/other',
    'get_started/join:1',
    'attention/other:1',
    'attention/joins:1',
    'attention/join:a%20b',
    `attention/join:${'a'.repeat(190)}`,
    'theme/dark',
  ]) {
    assertError(await ada.put(`/web/marks/${path}`, {}), 400, 'invalid_request')
  }
  assert.deepEqual(await listMarks(ada), before)
  const guest = service.anonymousClient()
  assertError(await guest.get('/web/marks'), 401, 'not_signed_in')
})

test('a person has a limited number of dismissals, and the oldest are removed', async () => {
  const { ben } = opened()
  for (let i = 1; i <= MAX_ATTENTION_MARKS + 3; i += 1) {
    await ben.put(`/web/marks/attention/join:meeting_${i}`, {})
  }
  const marks = await listMarks(ben)
  assert.equal(marks.length, MAX_ATTENTION_MARKS)
  assert.ok(marks.includes(`attention/join:meeting_${MAX_ATTENTION_MARKS + 3}`))
  assert.ok(!marks.includes('attention/join:meeting_1'))
})
