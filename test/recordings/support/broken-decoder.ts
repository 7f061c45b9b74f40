// Entry of a process instead of the decoder, which does what a file that breaks a library would make it do.
import type { MessageToDecoder } from '../../../src/recordings/decoding/decoder-messages.ts'

process.on('disconnect', () => process.exit())
const kept: Buffer[] = []

process.on('message', (received) => {
  const message = received as MessageToDecoder
  if (message.type === 'bytes') {
    const [kind = 0] = message.bytes
    if (kind === 1) process.kill(process.pid, 'SIGKILL')
    // An endless loop.
    if (kind === 2) for (;;) Math.random()
    if (kind === 3) setInterval(() => kept.push(Buffer.alloc(64 * 1024 * 1024, 1)), 5)
    // Reads the file again and again.
    if (kind === 4) setInterval(() => process.send?.({ type: 'read', id: 2, start: 1, end: 2 }), 5)
  } else process.send?.({ type: 'read', id: 1, start: 0, end: 1 })
})
