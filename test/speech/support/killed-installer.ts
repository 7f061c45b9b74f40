// A program that fetches a package with its environment's npm, and waits to be killed.
import { INSTALLATION_FOLDER } from '../../../src/config/load-config.ts'
import { createNpmFetch } from '../../../src/speech/install/npm-pack.ts'

const fetchPackage = createNpmFetch({ env: process.env, installationFolder: INSTALLATION_FOLDER })
await fetchPackage({ name: 'any', version: '1.0.0' }, process.argv[2] ?? '')
