// Entry of a worker process with a tiny engine. An utterance's largest sample decides what happens to it.
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { findPeak, measureLevel } from '../../../src/speech/sound.ts'
import { runWorker } from '../../../src/speech/workers/process/run-worker.ts'
import { FAKE_PEAKS } from './fake-peaks.ts'

/** This file exists after the process has ended on FAKE_PEAKS.endsOnce. */
const marker = process.argv[2] ?? ''

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

await runWorker(() => {
  if (process.argv[3] === 'unusable') throw new Error('the weights are missing')
  return {
    createDetector: () => ({
      isSpeech: (samples) => measureLevel(samples) > 100,
      reset: () => undefined,
    }),
    recognize(samples) {
      const peak = findPeak(samples)
      if (peak === FAKE_PEAKS.ends) process.kill(process.pid, 'SIGKILL')
      if (peak === FAKE_PEAKS.endsOnce && !existsSync(marker)) {
        writeFileSync(marker, '')
        process.kill(process.pid, 'SIGKILL')
      }
      if (peak === FAKE_PEAKS.hangs) {
        appendFileSync(`${marker}-hangs`, 'x')
        pause(Number.POSITIVE_INFINITY)
      }
      if (peak === FAKE_PEAKS.slow) pause(50)
      return `heard ${peak}`
    },
  }
})
