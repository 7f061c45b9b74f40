import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { eventually } from '../support/time/eventually.ts'

export type ApiAction = {
  actionId: string
  text: string
  owner: string | null
  dueDate: string | null
  state: string
  source: string
  segmentNumbers: number[]
  editedAt: string | null
}
export type ApiRecap = {
  status: string
  method: string
  model: string | null
  error: string | null
  version: number
  summary: Array<{ text: string; segmentNumbers: number[] }>
  decisions: Array<{ text: string }>
  openQuestions: Array<{ text: string }>
  actions: ApiAction[]
  droppedStatements: number
  tokens: number
  documentState: string
}

/** A service that makes recaps, and a client for them. */
export async function openRecapService(env: Record<string, string> = {}) {
  const service = await startService({ HANSARD_RECAP: 'on', ...env })
  const program = await openMeetingsClient(service)
  const recap = async (id: string) => (await program.get(`/${id}/recap`)).body as ApiRecap
  const pathOf = async (id: string) => {
    const { body } = await program.get(`/${id}`)
    const { documentPath } = body['meeting'] as { documentPath: string }
    return join(service.dataFolder, documentPath)
  }
  return {
    service,
    program,
    recap,
    /** Waits until the recap satisfies the condition; by default until all work on it is done. */
    waitForRecap: (
      id: string,
      isEnough = ({ documentState }: ApiRecap) => documentState !== 'waiting',
    ): Promise<ApiRecap> =>
      eventually(async () => {
        const { status, body } = await program.get(`/${id}/recap`)
        return status === 200 && isEnough(body as ApiRecap) ? (body as ApiRecap) : null
      }, 60_000),
    /** Runs a practice meeting to its end. */
    async runMeeting(more: Record<string, unknown> = {}): Promise<string> {
      const id = await program.start('practice://standup?speed=1000', more)
      await program.waitForStatus(id)
      return id
    },
    readDocument: async (id: string) => readFileSync(await pathOf(id), 'utf8'),
    writeDocument: async (id: string, text: string) => writeFileSync(await pathOf(id), text),
    async updateAction(actionId: string, change: Record<string, unknown>) {
      return program.ask('PATCH', `/actions/${actionId}`, change)
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}
