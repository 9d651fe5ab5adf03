import { Page } from '../ui/Page.tsx'

export const SpotlightsOfGenre = () => <Page title="Curated spotlights">{null}</Page>
