/** Adds the URLs from which the metadata of SAML providers is read again. */
export const samlMetadata = `
alter table saml_providers add column metadata_url text;
alter table saml_providers add column metadata_checked_at text;
alter table saml_providers add column metadata_error text;
create index saml_providers_metadata on saml_providers (metadata_checked_at) where metadata_url is not null
`
