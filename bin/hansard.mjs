#!/usr/bin/env node
import { launch } from './launch/launch.mjs'

await launch('src/main.ts', process.argv.slice(2))
