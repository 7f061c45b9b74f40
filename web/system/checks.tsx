import { Button, Card, Code, Group, Loader, Stack, Text } from '@mantine/core'
import { useIsFetching, useQueries, useQueryClient } from '@tanstack/react-query'
import type { WireChecks, WireCheckResult } from '../../src/http/shapes/system.ts'
import { CheckIcon, CrossIcon } from '../ui/icons.tsx'
import { ErrorBox } from '../ui/feedback/error-box.tsx'
import { QueryView } from '../ui/feedback/query-view.tsx'
import { RowButton } from '../ui/tables/row-button.tsx'
import { SectionHeader } from '../ui/layout/section-header.tsx'
import { useCheck, useCheckNames } from './queries.ts'

type ListedCheck = WireChecks['checks'][number]

/** What `hansard doctor` looks at, looked at now by the node that answers. */
export function Checks() {
  const names = useCheckNames()
  const queries = useQueryClient()
  const running = useIsFetching({ queryKey: ['system', 'check'] })
  return (
    <Stack gap="md" component="section" aria-label="Checks">
      <SectionHeader
        title="Checks"
        about="The same as “hansard doctor” on the machine. Whatever fails says what mends it."
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
      <QueryView query={names} what="the checks">
        {({ checks }) => (
          <>
            <CheckSummary names={checks.filter(({ isDeep }) => !isDeep)} />
            <Card withBorder padding={0}>
              <ul className="plain-list checks">
                {checks.map((check) => (
                  <CheckRow key={check.name} check={check} />
                ))}
              </ul>
            </Card>
          </>
        )}
      </QueryView>
    </Stack>
  )
}

/** How far it is, and then what came of it. */
function CheckSummary({ names }: { names: ListedCheck[] }) {
  const findings = useQueries({
    queries: names.map(({ name }) => ({
      queryKey: ['system', 'check', name],
      enabled: false,
    })),
  }).flatMap(({ data }) => (data === undefined ? [] : [data as WireCheckResult]))
  const bad = findings.filter(({ ok }) => !ok).length
  const isDone = findings.length === names.length
  return (
    <Text role="status" fw={650}>
      {!isDone && `${findings.length} of ${names.length} checked…`}
      {isDone && bad === 0 && 'All is well.'}
      {isDone && bad > 0 && `${bad} of ${names.length} checks failed.`}
    </Text>
  )
}

function CheckRow({ check: { name, isDeep } }: { check: ListedCheck }) {
  const { data, error, isFetching, refetch } = useCheck(name, isDeep)
  return (
    <li>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <CheckStatusIcon finding={data} isRunning={isFetching} />
        <div className="check-text">
          <Text fw={600}>{name}</Text>
          {data && (
            <Text size="sm" {...(data.ok && { c: 'dimmed' })} className="break-anywhere">
              {data.detail}
            </Text>
          )}
          {!data && isDeep && !isFetching && (
            <Text size="sm" c="dimmed">
              Joins a meeting on the stage with this machine’s browser. Takes about half a minute.
            </Text>
          )}
          {data && !data.ok && data.fix && (
            <Text size="sm" mt={4}>
              What mends it: <Code className="wrap-code">{data.fix}</Code>
            </Text>
          )}
          {error && <ErrorBox error={error} />}
        </div>
        {isDeep && !isFetching && (
          <RowButton label="Run" name={`Run ${name}`} onClick={() => void refetch()} />
        )}
      </Group>
    </li>
  )
}

/** The word is for those who do not see the sign. */
function CheckStatusIcon({
  finding,
  isRunning,
}: {
  finding: WireCheckResult | undefined
  isRunning: boolean
}) {
  if (isRunning) return <Loader size={20} aria-label="running" role="img" />
  if (!finding) return <span className="check-sign" />
  const { ok } = finding
  return (
    <span
      className={ok ? 'check-sign check-ok' : 'check-sign check-bad'}
      role="img"
      aria-label={ok ? 'well' : 'failed'}
    >
      {ok ? <CheckIcon /> : <CrossIcon />}
    </span>
  )
}
