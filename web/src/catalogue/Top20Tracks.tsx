import { Page } from '../ui/Page.tsx'

export const Top20Tracks = () => <Page title="Monthly top 20">{null}</Page>
