import { Fragment, type ReactNode } from 'react'

export type Fact = [name: string, value: ReactNode]

/** Names and what is to be said of each. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
