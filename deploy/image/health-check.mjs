// node health-check.mjs /healthz | /readyz | http://service:8080/readyz
// Ends with 0 when the answer is 200. The image has no curl.
const target = process.argv[2] ?? '/healthz'
const url = new URL(target, `http://127.0.0.1:${process.env['HANSARD_PORT'] || 8080}`)
try {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
  process.stdout.write(`${url.href}: ${response.status} ${await response.text()}\n`)
  process.exitCode = response.status === 200 ? 0 : 1
} catch (error) {
  process.stderr.write(`${url.href}: ${error.message}\n`)
  process.exitCode = 1
}
