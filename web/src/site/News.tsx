import { Page } from '../ui/Page.tsx'

export const News = () => <Page title="What’s News">{null}</Page>
