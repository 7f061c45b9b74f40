// Entry of a process that decodes one recording. It has no settings, and reads the file only through its parent.
import type { MessageFromDecoder, MessageToDecoder } from './decoder-messages.ts'
import { DamagedRest, decodeSound } from './decode-sound.ts'
import { openRecordingFile, type RecordingFile } from './recording-file.ts'
import { UnreadableRecording } from './unreadable-recording.ts'

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())

let file: RecordingFile | null = null
let maxMs = 0
let lastRead = 0
const reads = new Map<number, (bytes: Uint8Array) => void>()
let askForMore = () => {}

function send(message: MessageFromDecoder): void {
  process.send?.(message)
}

function read(start: number, end: number): Promise<Uint8Array> {
  return new Promise((resolve) => {
    lastRead += 1
    reads.set(lastRead, resolve)
    send({ type: 'read', id: lastRead, start, end })
  })
}

async function decode(fromMs: number): Promise<void> {
  if (file === null) throw new Error('the recording is not open')
  for await (const sound of decodeSound(file, { fromMs, maxMs })) {
    const asked = new Promise<void>((resolve) => {
      askForMore = resolve
    })
    send({ type: 'sound', ...sound })
    await asked
  }
  send({ type: 'end', damagedAtMs: null })
}

function report(error: unknown): void {
  if (error instanceof DamagedRest) send({ type: 'end', damagedAtMs: error.atMs })
  else if (error instanceof UnreadableRecording) send({ type: 'problem', reason: error.message })
  else {
    // The libraries throw many kinds of errors for damaged files.
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    send({ type: 'problem', reason: 'The file is damaged' })
  }
}

process.on('unhandledRejection', report)
process.on('message', (received) => {
  const message = received as MessageToDecoder
  if (message.type === 'bytes') {
    reads.get(message.id)?.(message.bytes)
    reads.delete(message.id)
  } else if (message.type === 'more') askForMore()
  else if (message.type === 'decode') decode(message.fromMs).catch(report)
  else {
    maxMs = message.maxMs
    openRecordingFile({ size: message.size, read }, maxMs)
      .then((opened) => {
        file = opened
        send({ type: 'info', info: opened.info })
      })
      .catch(report)
  }
})
