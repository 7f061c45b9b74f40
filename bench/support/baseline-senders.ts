import { PgBoss } from 'pg-boss'
import { Agent, request } from 'undici'
import { callbackHeaders } from '../../src/deliveries/signature.ts'
import { openInstanceDatabase, type Instance } from './instance.ts'

/** The minimal sender: signs and posts each body, one at a time for each meeting. */
export async function postDirectly(
  url: string,
  secret: string,
  lists: readonly string[][],
): Promise<number> {
  const dispatcher = new Agent({ connections: null, pipelining: 1 })
  const began = performance.now()
  await Promise.all(
    lists.map(async (bodies, meeting) => {
      for (const [i, text] of bodies.entries()) {
        await post(dispatcher, url, secret, text, `meeting_${meeting}`, i + 1)
      }
    }),
  )
  const seconds = (performance.now() - began) / 1000
  await dispatcher.close()
  return lists.flat().length / seconds
}

async function post(
  dispatcher: Agent,
  url: string,
  secret: string,
  text: string,
  meetingId: string,
  sequence: number,
): Promise<void> {
  const body = Buffer.from(text)
  const event = {
    meetingId,
    sequence,
    previousSequence: sequence - 1,
    type: 'segment_finalized',
    body,
  }
  const secrets = { signing: secret, alsoValid: [] }
  const headers = callbackHeaders(event, secrets, `dlv_${meetingId}_${sequence}`, new Date())
  const answer = await request(url, { method: 'POST', dispatcher, headers, body })
  await answer.body.dump()
}

const QUEUE = 'bench'
const FETCHED = 200
const SENDING = 50

/**
 * The same with a job queue: one unordered job for each event. Returns events per second: `stored` counts from the
 * commit of the jobs, `all` includes enqueueing them.
 */
export async function postViaJobQueue(
  { data, signingSecret }: Instance,
  url: string,
  lists: readonly string[][],
): Promise<{ stored: number; all: number }> {
  await using database = await openInstanceDatabase(data)
  const boss = new PgBoss({ schema: 'pgboss', db: { executeSql: database.longRunning.query } })
  await boss.start()
  await boss.createQueue(QUEUE)
  const bodies = lists.flat()
  const dispatcher = new Agent({ connections: null, pipelining: 1 })
  const began = performance.now()
  let next = 0
  const send = async () => {
    while (next < bodies.length) {
      next += 1
      await boss.send(QUEUE, { body: bodies[next - 1] })
    }
  }
  await Promise.all(Array.from({ length: SENDING }, send))
  const sent = performance.now()
  for (let done = 0; done < bodies.length;) {
    const batch = await boss.fetch<{ body: string }>(QUEUE, { batchSize: FETCHED })
    await Promise.all(
      batch.map(async (job) => {
        await post(dispatcher, url, signingSecret, job.data.body, 'meeting_job', done)
        await boss.complete(QUEUE, job.id)
      }),
    )
    done += batch.length
  }
  const ended = performance.now()
  await dispatcher.close()
  await boss.deleteQueue(QUEUE)
  await boss.stop()
  const perSecond = (from: number) => bodies.length / ((ended - from) / 1000)
  return { stored: perSecond(sent), all: perSecond(began) }
}
