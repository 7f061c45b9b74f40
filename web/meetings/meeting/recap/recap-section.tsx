import './recap.css'
import { Title } from '@mantine/core'
import { useState } from 'react'
import type { WireMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { RecapPanel } from './recap-panel.tsx'

interface RecapSectionProps {
  meeting: WireMeetingDetail
  /** True if the meeting ended while the page was open. */
  endedMeanwhile: boolean
}

/** An ended meeting's recap, first on its page. Highlighted briefly if it becomes ready while the page is open. */
export function RecapSection({ meeting, endedMeanwhile }: RecapSectionProps) {
  const [isNew, setNew] = useState(false)
  return (
    <section className={isNew ? 'recap recap-new' : 'recap'} aria-labelledby="recap">
      <Title order={2} fz="1.125rem" id="recap">
        Recap
      </Title>
      <RecapPanel
        meeting={meeting}
        isExpected={endedMeanwhile}
        isNew={isNew}
        onReady={() => setNew(true)}
      />
    </section>
  )
}
