import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openMeetingsClient } from '../support/meetings/meetings-client.ts'
import { startServiceForFile } from '../support/service-for-file.ts'

type Page = { meetings: Array<{ meetingId: string; title: string }>; nextCursor: string | null }

const sharedService = startServiceForFile()

test('the history lists meetings newest first, in pages without overlaps or gaps', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  const made: string[] = []
  for (let i = 0; i < 7; i += 1) {
    made.push(
      await program.start('practice://denied?speed=1000', {
        title: `Meeting ${i}`,
        project: 'pages',
        saveTranscript: false,
      }),
    )
  }
  await Promise.all(made.map((id) => program.waitForStatus(id)))
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`
    const page = (await program.get(`?project=pages&limit=3${more}`)).body as unknown as Page
    assert.ok(page.meetings.length <= 3)
    seen.push(...page.meetings.map(({ meetingId }) => meetingId))
    cursor = page.nextCursor
  }
  assert.deepEqual(seen, made.toReversed())
})

test('the history can be filtered by project, status, platform and title', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  const sales = await program.start('practice://denied?speed=1000', {
    title: '100% sure',
    project: 'sales',
  })
  const other = await program.start('practice://host-ends?speed=1000', { title: '100 things' })
  await Promise.all([program.waitForStatus(sales), program.waitForStatus(other)])
  const ids = async (query: string) =>
    ((await program.get(`?${query}`)).body as unknown as Page).meetings.map(
      ({ meetingId }) => meetingId,
    )

  assert.deepEqual(await ids('project=sales'), [sales])
  assert.deepEqual(await ids('status=ended&q=100'), [other])
  assert.deepEqual(await ids('platform=practice&q=100'), [other, sales])
  assert.deepEqual(await ids('platform=google_meet'), [])
  assert.deepEqual(await ids('q=100%25'), [sales])
  assert.deepEqual(await ids('q=THINGS'), [other])
})

test('after the end, all who were ever present are counted, in the history and on the page', async () => {
  const program = await openMeetingsClient(sharedService())
  const id = await program.start('practice://everyone-leaves?speed=1000', { project: 'counts' })
  await program.waitForStatus(id)
  const { meeting } = (await program.get(`/${id}`)).body as Record<string, object>
  const [listed] = (await program.get('?project=counts')).body['meetings'] as object[]
  assert.deepEqual(
    [meeting, listed].map((one) => (one as { participantCount: number }).participantCount),
    [3, 3],
  )
})

test('an invalid page of the history is rejected, and a large limit is accepted', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  for (const query of [
    'limit=0',
    'limit=-1',
    'limit=x',
    'cursor=!!!',
    'cursor=abc',
    'status=running',
  ]) {
    assert.equal((await program.get(`?${query}`)).status, 400, query)
  }
  assert.equal((await program.get('?limit=5000')).status, 200)
})

test('a meeting can be removed with its document when it is over, and not before', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  const active = await program.start('practice://standup')
  assert.equal((await program.remove(`/${active}`)).body.code, 'meeting_active')
  await program.post('/stop', { meetingId: active })
  await program.waitForStatus(active)
  assert.equal((await program.remove(`/${active}`)).status, 200)
  for (const path of ['', '/transcript', '/document', '/events']) {
    assert.equal((await program.get(`/${active}${path}`)).status, 404)
  }
})
