import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { MAX_TERMS } from '../../src/projects/vocabulary-limits.ts'
import { startServiceForFile } from '../support/service/start-service.ts'
