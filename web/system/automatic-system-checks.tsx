import { Stack, Button, Card, Text, Group, Loader, Code } from '@mantine/core'
import { useQueryClient, useIsFetching, useQueries } from '@tanstack/react-query'
import type { ApiAvailableChecks, ApiCheckResult } from '../../src/http/shapes/system.ts'
import { CheckIcon, CrossIcon } from '../ui/icons.tsx'
import { ErrorBox, QueryView } from '../ui/feedback/feedback.tsx'
import { RowButton } from '../ui/tables/data-table.tsx'
import { SectionHeader } from '../ui/layout.tsx'
import { useNodes } from './queries.ts'
import { Hint } from '../ui/text.tsx'
import { useApiQuery } from '../api/use-api.tsx'

/** Long, because a deep check joins a simulated meeting. */
const CHECK_TIMEOUT_MS = 180_000

type ListedCheck = ApiAvailableChecks['checks'][number]

/** The checks of `hansard doctor`, run by the node that serves this page. */
export function AutomaticSystemChecks() {
  const names = useApiQuery(['system', 'checks'], (api) => api.system.checks())
  const queries = useQueryClient()
  const running = useIsFetching({ queryKey: ['system', 'check'] })
  const nodes = useNodes().data?.nodes.filter(({ isAlive }) => isAlive) ?? []
  const thisNode = nodes.length > 1 ? nodes.find(({ isThis }) => isThis) : undefined
  return (
    <Stack gap="md" component="section" aria-label="Checks">
      <SectionHeader
        title="Checks"
        description={`The same checks as “hansard doctor” on the server. ${
          thisNode === undefined
            ? ''
            : `They run on node ${thisNode.id}, which serves this page; bots may run on other nodes. `
        }Failed checks show how to fix them.`}
      >
        <Button
          variant="default"
          loading={running > 0}
          onClick={() =>
            void queries.refetchQueries({ queryKey: ['system', 'check'], type: 'active' })
          }
        >
          Check again
        </Button>
      </SectionHeader>
      <QueryView query={names} label="the checks">
        {({ checks }) => (
          <>
            <CheckSummary names={checks.filter(({ isDeep }) => !isDeep)} />
            <CheckList checks={checks} />
          </>
        )}
      </QueryView>
    </Stack>
  )
}

/** The results that the rows have read. Undefined while a check runs for the first time. */
function useCheckResults(checks: ListedCheck[]): Array<ApiCheckResult | undefined> {
  return useQueries({
    queries: checks.map(({ name }) => ({
      queryKey: ['system', 'check', name],
      enabled: false,
    })),
  }).map(({ data }) => data as ApiCheckResult | undefined)
}

/** Failed checks come first, so that no one has to search for them. */
function CheckList({ checks }: { checks: ListedCheck[] }) {
  const results = useCheckResults(checks)
  const hasFailed = (check: ListedCheck) => results[checks.indexOf(check)]?.ok === false
  const ordered = [...checks.filter(hasFailed), ...checks.filter((check) => !hasFailed(check))]
  return (
    <Card withBorder padding={0}>
      <ul className="plain-list checks">
        {ordered.map((check) => (
          <CheckRow key={check.name} check={check} />
        ))}
      </ul>
    </Card>
  )
}

/** The progress of the checks, then their overall result. */
function CheckSummary({ names }: { names: ListedCheck[] }) {
  const results = useCheckResults(names).filter((result) => result !== undefined)
  const failed = results.filter(({ ok }) => !ok).length
  const isDone = results.length === names.length
  return (
    <Text role="status" fw={650}>
      {!isDone && `${results.length} of ${names.length} checks done…`}
      {isDone && failed === 0 && 'All checks passed.'}
      {isDone && failed > 0 && `${failed} of ${names.length} checks failed.`}
    </Text>
  )
}

/** A check runs when it is first shown. A deep check runs only if the user asks for it. */
function CheckRow({ check: { name, isDeep } }: { check: ListedCheck }) {
  const { data, error, isFetching, refetch } = useApiQuery(
    ['system', 'check', name],
    (api) => api.system.check(name, { timeoutMs: CHECK_TIMEOUT_MS }),
    { enabled: !isDeep, staleTime: Infinity, retry: false, refetchOnWindowFocus: false },
  )
  return (
    <li>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <CheckStatusIcon result={data} isRunning={isFetching} />
        <div className="check-text">
          <Text fw={600}>{name}</Text>
          {data && (
            <Text size="sm" {...(data.ok && { c: 'dimmed' })} className="break-anywhere">
              {data.detail}
            </Text>
          )}
          {!data && isDeep && !isFetching && (
            <Hint>
              Joins a simulated meeting with the server’s browser. Takes about half a minute.
            </Hint>
          )}
          {data && !data.ok && data.fix && (
            <Text size="sm" mt={4}>
              Fix: <Code className="wrap-code">{data.fix}</Code>
            </Text>
          )}
          <ErrorBox error={error} />
        </div>
        {isDeep && !isFetching && (
          <RowButton label="Run" of={name} onClick={() => void refetch()} />
        )}
      </Group>
    </li>
  )
}

function CheckStatusIcon({
  result,
  isRunning,
}: {
  result: ApiCheckResult | undefined
  isRunning: boolean
}) {
  if (isRunning) return <Loader size={20} aria-label="running" role="img" />
  if (!result) return <span className="check-sign" />
  const { ok } = result
  return (
    <span
      className={ok ? 'check-sign check-ok' : 'check-sign check-bad'}
      role="img"
      aria-label={ok ? 'passed' : 'failed'}
    >
      {ok ? <CheckIcon /> : <CrossIcon />}
    </span>
  )
}
