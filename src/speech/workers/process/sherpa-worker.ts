// Entry of a worker process. Its argument is the JSON text of EngineFiles.
import { runWorker } from './run-worker.ts'
import { openSherpaEngine, type EngineFiles } from './sherpa-engine.ts'

await runWorker(() => openSherpaEngine(JSON.parse(process.argv[2] ?? '') as EngineFiles))
