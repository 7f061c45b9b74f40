console.log('hello', process.version, process.argv.slice(2))
setInterval(()=>{},1000)
process.on('SIGTERM',()=>{console.log('term');setTimeout(()=>process.exit(0),300)})
