import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidArgumentError, type Command } from 'commander'
import { OperatorError } from '../errors.ts'
import { errorCode, messageOf } from '../lib/error-code.ts'
import type { ServerSentEvent } from '../lib/server-sent-events.ts'
import { loadClientSettings } from '../load-config.ts'
import { NotNowError, readStream, type Asking } from './listen/connection.ts'
import { Callback, createForwarder, postTo, type Forwarder } from './listen/forward.ts'
import { createReport, describe } from './listen/report.ts'
import { printLine } from './output.ts'

type Options = {
  forwardTo?: URL
  printJson?: true
  events?: string
  meeting?: string
  name: string
  service?: URL
}

/** What is under way when it is told to end gets so long. */
const GRACE_MS = 3_000
const PAUSES_MS = [500, 1_000, 2_000, 5_000, 10_000]

export function addListenCommand(program: Command): void {
  program
    .command('listen')
    .description('bring the callbacks of a running service to a receiver on this machine')
    .option('--forward-to <url>', 'where to post each callback, as it is and signed', parseUrl)
    .option('--print-json', 'print the body of each callback on a line of its own')
    .option('--events <types>', 'only these, separated by commas', parseTypes)
    .option('--meeting <id>', 'of other meetings than its own, only this one')
    .option('--name <name>', 'start meetings with callbackUrl listen:<name>', parseName, 'default')
    .option('--service <url>', 'default: HANSARD_URL, or http://127.0.0.1:8080', parseUrl)
    .addHelpText('after', HELP)
    .action(listen)
}

const HELP = `
The API key comes from HANSARD_API_KEY, or is asked for. It needs the scope meetings.

A meeting that was started with "callbackUrl": "listen:default" has this listener as its receiver: in order,
tried again until it is answered, nothing lost while nobody listens. Of all other meetings come copies of the
events that are stored, each once. Ctrl-C ends it.`

async function listen(options: Options, command: Command): Promise<void> {
  const { forwardTo, printJson, name, events, meeting } = options
  if (forwardTo === undefined && !printJson) {
    command.error("error: give '--forward-to <url>', '--print-json', or both")
  }
  const settings = loadClientSettings()
  const service = options.service ?? settings.url
  const apiKey = settings.apiKey ?? (await askForKey())
  const asking: Asking = { service, apiKey, name, events, meeting }
  const ending = new AbortController()
  const report = createReport(asking, note)
  const forwarder = createForwarder({
    post: async (callback) => (forwardTo === undefined ? PRINTED : postTo(forwardTo, callback)),
    async onDone(callback, outcome) {
      printLine(printJson ? callback.body : describe(callback, outcome, new Date()))
      if (callback.isAnswerWanted) await report(callback.deliveryId, outcome)
    },
    onFailure: (error) => ending.abort(error),
  })
  const stop = endInOrder(forwarder, ending)
  try {
    await follow(asking, ending.signal, (message) => {
      if (message.event === 'open') note(welcome(asking, forwardTo))
      if (message.event === 'callback' && !stop.isCalled()) forwarder.take(parse(message))
    })
  } finally {
    stop[Symbol.dispose]()
  }
  if (ending.signal.reason !== DONE) throw ending.signal.reason
}

const PRINTED = { status: 200, error: null, answer: 'Printed', durationMs: 0 }
const DONE = Symbol('done')

/** Stays connected until the signal, whatever happens to the connection. */
async function follow(
  asking: Asking,
  signal: AbortSignal,
  onMessage: (message: ServerSentEvent) => void,
): Promise<void> {
  let lastId = ''
  let failures = 0
  while (!signal.aborted) {
    let reason = 'The service ended the stream'
    let waitMs = 0
    try {
      for await (const message of readStream(asking, lastId, signal)) {
        failures = 0
        lastId = message.id
        onMessage(message)
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof OperatorError || !isPassing(error)) throw error
      reason = explain(error)
      waitMs = error instanceof NotNowError ? error.waitMs : 0
    }
    if (signal.aborted) return
    waitMs = Math.max(waitMs, PAUSES_MS[failures] ?? PAUSES_MS.at(-1) ?? 0)
    failures += 1
    note(`${reason}; next try in ${waitMs / 1000} s`)
    await Promise.race([sleep(waitMs, null, { ref: true }), aborted(signal)])
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

/** The first signal, or a reader of our output that went away, ends it when what is under way is done. */
function endInOrder(forwarder: Forwarder, ending: AbortController) {
  let isCalled = false
  const end = async () => {
    if (isCalled) return
    isCalled = true
    await Promise.race([forwarder.idle(), sleep(GRACE_MS, null, { ref: false })])
    ending.abort(DONE)
  }
  const onSignal = () => void end()
  const onOutput = (error: Error) => {
    if (errorCode(error) === 'EPIPE') onSignal()
    else ending.abort(error)
  }
  const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const name of SIGNALS) process.on(name, onSignal)
  process.stdout.on('error', onOutput)
  return {
    isCalled: () => isCalled,
    [Symbol.dispose]() {
      for (const name of SIGNALS) process.off(name, onSignal)
    },
  }
}
