import { StaffPage } from '../StaffPage.tsx'
import { Figures, useFigures } from './Metrics.tsx'
import * as texts from './texts.ts'
import { Waits } from './NeedsAttention.tsx'

/** The start page of the back office: what needs attention, and metrics. */
export const Dashboard = () => (
  <StaffPage title={texts.dashboard}>
    <Parts />
  </StaffPage>
)

/** Both are requested at once. The metrics are shown once the height of the content above them is known. */
function Parts() {
  const asked = useFigures()
  return (
    <Waits>
      <Figures asked={asked} />
    </Waits>
  )
}
