import { Page } from '../ui/Page.tsx'

export const Charts = () => <Page title="Charts">{null}</Page>
