import { Page } from '../ui/Page.tsx'

export const Spotlights = () => <Page title="Curated spotlights">{null}</Page>
