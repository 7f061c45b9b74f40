// Runs in a worker thread and processes one long meeting, so that the service stays responsive.
import { strict as assert } from 'node:assert'
import { parentPort, workerData } from 'node:worker_threads'
import type { RecapSource } from '../recap.ts'
import { createRulesRecap } from '../rules-recap.ts'

assert.ok(parentPort, 'this file must run in a worker thread')
parentPort.postMessage(createRulesRecap(workerData as RecapSource))
