import { attends } from './conformance.ts'
import { TEAMS } from './profiles.ts'

attends(TEAMS)
