@echo off
rem Starts the service, which README.txt says how to install.
"%~dp0millrace-service.exe" start
