/** Environment variables passed to Git: paths of programs and trusted certificates. */
export const gitVariables = ['PATH', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH']
