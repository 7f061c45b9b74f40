import { strict as assert } from 'node:assert'
import type { PlatformEvent } from '../../src/bots/platforms/platform.ts'
import { createPracticePlatform } from '../../src/bots/platforms/practice/practice-platform.ts'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'
import { startFeedServer } from '../support/calendars/feed-server.ts'
import { formatFeed } from '../support/calendars/feed-text.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { sendRequest } from '../support/http/raw-requests.ts'
import { signedInState } from '../support/meetings/bot-accounts.ts'
import { createScriptedPlatform } from '../support/meetings/scripted-platform.ts'
import { seedMeetingsWithRecaps } from '../support/meetings/seed-recap.ts'
import { startService } from '../support/service/start-service.ts'
import { eventually } from '../support/time/eventually.ts'
import { listPastMeetings, LIVE_EVENTS, NORTHWIND_NOTES, PLAN } from './example-texts.ts'
import { storeSpokenMeeting } from './spoken-meeting.ts'

const HOUR_MS = 3_600_000

/** The ids that the addresses of pages contain. */
export type Examples = {
  finished: string
  /** A finished meeting with callbacks and events. */
  delivered: string
  live: string
  joining: string
  failed: string
  scheduled: string
  run: string
  failedRun: string
  shareUrl: string
  inviteUrl: string
}

/** A service with some of everything, as a team has it after a few weeks. */
export async function openExampleService() {
  await using stack = new AsyncDisposableStack()
  const feeds = stack.use(await startFeedServer())
  const stage = createScriptedPlatform()
  const service = stack.use(
    await startService(
      { HANSARD_RECAP: 'on', HANSARD_RATE_LIMIT: 'off' },
      { platforms: [stage, createPracticePlatform()] },
    ),
  )
  const ada = await service.adminClient()
  await ada.put('/web/profile', { name: 'Ada Lovelace' })
  const { id: tokenId, apiKey, signingSecret } = await ada.createToken({ name: 'CRM' })
  const receiver = stack.use(await openRecordingReceiver(signingSecret))
  await seedMeetingsWithRecaps(service.databaseUrl, listPastMeetings(new Date()))
  await addDocuments(service.url, apiKey)
  const callbacks = { callbackUrl: receiver.urlFor('/hook'), tokenId }

  const finished = await storeSpokenMeeting(service.databaseUrl)
  await ada.post(`/web/meetings/${finished}/recap`)
  const delivered = await startMeeting(ada, {
    url: 'practice://standup?speed=1000',
    title: 'Weekly stand-up',
    project: 'product',
    ...callbacks,
  })
  await waitForStatus(ada, delivered, 'ended')
  await eventually(
    async () => (await ada.get(`/web/meetings/${finished}/recap`)).status === 200 || null,
  )
  receiver.setReply(() => ({ status: 422, body: 'unknown field "speaker"' }))
  const failed = await startMeeting(ada, { url: 'stage://board', title: 'Board', ...callbacks })
  stage.room('board').emit({ kind: 'over', because: 'sign_in_required' })
  await waitForStatus(ada, failed, 'error')
  const live = await startMeeting(ada, { url: 'stage://review', title: 'Design review' })
  stage.room('review').emit({ kind: 'admitted' }, ...LIVE_EVENTS)
  const joining = await startMeeting(ada, { url: 'stage://interview', title: 'Interview' })
  stage.room('interview').emit({ kind: 'lobby' })
  const joinAt = new Date(Date.now() + 26 * HOUR_MS).toISOString()
  const scheduled = await startMeeting(ada, {
    url: 'stage://customer',
    title: 'Customer call with Northwind',
    joinAt,
  })
  await waitForStatus(ada, live, 'live')
  await waitForStatus(ada, joining, 'lobby')

  await addCalendar(ada, feeds)
  await addPeopleAndAccounts(ada, () => service.anonymousClient())
  const [run, failedRun] = await addTasks(ada)
  const shares = await ada.post(`/web/meetings/${finished}/shares`, { days: 7 })
  const invitation = await ada.post('/web/invitations', { role: 'member' })
  const examples: Examples = {
    finished,
    delivered,
    live,
    joining,
    failed,
    scheduled,
    run,
    failedRun,
    shareUrl: String(shares.body['url']),
    inviteUrl: String(invitation.body['link']),
  }
  const opened = stack.move()
  return {
    service,
    ada,
    examples,
    /** Reports events of the live meeting. */
    emitLive: (...events: PlatformEvent[]) => stage.room('review').emit(...events),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function startMeeting(person: HttpClient, meeting: object): Promise<string> {
  const { status, body } = await person.post('/web/meetings/start', meeting)
  assert.equal(status, 201, JSON.stringify(body))
  return String(body['meetingId'])
}

async function waitForStatus(person: HttpClient, id: string, wanted: string): Promise<void> {
  await eventually(async () => {
    const { meeting } = (await person.get(`/web/meetings/${id}`)).body
    return (meeting as { status: string }).status === wanted || null
  })
}

async function addDocuments(url: string, apiKey: string): Promise<void> {
  const documents = [
    ['product/documents/plan.md', PLAN],
    ['sales/documents/notes/northwind.md', NORTHWIND_NOTES],
  ] as const
  for (const [path, text] of documents) {
    const { status } = await sendRequest(url, {
      method: 'PUT',
      path: `/api/v1/projects/${path}`,
      headers: { 'x-api-key': apiKey, 'content-type': 'text/markdown' },
      body: text,
    })
    assert.equal(status, 201)
  }
}

async function addCalendar(
  person: HttpClient,
  feeds: Awaited<ReturnType<typeof startFeedServer>>,
): Promise<void> {
  const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS)
  const attendees = { 'ada@example.com': 'ACCEPTED' } as const
  feeds.answer(
    '/work',
    formatFeed([
      { uid: 'a', title: 'Planning', start: inHours(2), attendees, rule: 'FREQ=DAILY;COUNT=4' },
      { uid: 'b', title: 'One-on-one with Ben', start: inHours(4), attendees },
      { uid: 'c', title: 'Dentist', start: inHours(6), link: null },
    ]),
  )
  const calendar = { name: 'Work', url: feeds.urlOf('/work'), email: 'ada@example.com' }
  const { status, body } = await person.post('/web/calendars', calendar)
  assert.equal(status, 201, JSON.stringify(body))
  await eventually(async () => {
    const { upcoming } = (await person.get('/web/upcoming')).body
    return (upcoming as unknown[]).length > 2 || null
  })
}

async function addPeopleAndAccounts(ada: HttpClient, openClient: () => HttpClient): Promise<void> {
  for (const name of ['Ben Carter', 'Chloe Martin']) {
    const { body } = await ada.post('/web/invitations', { role: 'member' })
    const code = String(body['link']).split('#')[1] ?? ''
    const email = `${name.split(' ')[0]?.toLowerCase()}@example.com`
    const password = 'a secret of several words'
    await openClient().post('/web/invitation/accept', { code, name, email, password })
  }
  const state = JSON.stringify(signedInState('google_meet', 'hidden'))
  await ada.post('/web/system/bot-accounts', { name: 'notes', platform: 'google_meet', state })
}

/** A run that completed, and one that failed because there is no language model. */
async function addTasks(ada: HttpClient): Promise<[string, string]> {
  const daily = { name: 'daily-digest', promptName: 'daily-digest', cronExpression: '0 17 * * 1-5' }
  const { body } = await ada.get('/web/prompts')
  const prompts = body['prompts'] as Array<{ name: string; problems: Array<{ path: string }> }>
  const needsModel = prompts.find(({ problems }) => problems.some(({ path }) => path === 'model'))
  const other = { name: 'weekly-summary', promptName: needsModel?.name ?? 'daily-digest' }
  const ids: string[] = []
  for (const task of [daily, other]) {
    const created = await ada.post('/web/tasks', task)
    assert.equal(created.status, 201, JSON.stringify(created.body))
    const started = await ada.post(`/web/tasks/${task.name}/run`)
    const id = String(started.body['executionId'])
    ids.push(id)
    await eventually(async () => {
      const { execution } = (await ada.get(`/web/executions/${id}`)).body
      return (execution as { status: string } | undefined)?.status !== 'running' || null
    })
  }
  return [ids[0] ?? '', ids[1] ?? '']
}
